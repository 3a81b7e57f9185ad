import type { Chain } from "../../chains/chain.ts";
import { EVERY_EVM } from "../../lib/every_evm.ts";
import type { FieldKind } from "../../tools/fields.ts";
import { metadataFor, metadataForMany } from "../../tools/metadata.ts";
import type { AnyTool } from "../../tools/tool.ts";
import { kindsOf } from "./arguments/bind.ts";

const ECHOED: readonly FieldKind[] = ["address", "addresses", "token", "any_address"];

/**
 * Metadata of a call that threw, so that the tool could not write it: the requested addresses, on which networks,
 * on no particular block.
 * @param chains networks that the tool serves.
 */
export const failureMetadata = (
  tool: AnyTool,
  input: Readonly<Record<string, unknown>>,
  chains: readonly Chain[],
): unknown => {
  const kinds = kindsOf(tool.input);
  const field = kinds.find(([, kind]) => kind === "network" || kind === "networks")?.[0];
  const asked = field === undefined ? "all" : input[field];
  const echo = Object.fromEntries(
    kinds.flatMap(([name, kind]) => (ECHOED.includes(kind) ? [[name, input[name] ?? null]] : [])),
  );
  const facts = { echo, methodology: tool.name };
  const one = chains.find(({ network }) => network.id === asked);
  if (one !== undefined) return metadataFor(one, null, facts);
  const many = chains.filter(({ network }) => asked !== EVERY_EVM || network.family === EVERY_EVM);
  const parts = many.map((chain) => ({ chain, snapshot: null }));
  return metadataForMany(asked === "evm" ? "evm" : "all", parts, facts);
};
