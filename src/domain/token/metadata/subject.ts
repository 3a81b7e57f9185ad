import type { LiveTokenMetadata } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { IndexedFacts, SnapshotContext } from "../../context.ts";
import { nodeStateBlock } from "../../node_state.ts";
import { readingAt, settledDecimals } from "./history.ts";
import { metadataIn, metadataOf, readingsOf } from "./metadata.ts";
import { requestReread } from "./rereads.ts";

/** Token metadata of a known kind, from the contract. */
export type ContractTokenMetadata = LiveTokenMetadata & { readonly standard: string; readonly has_hidden: boolean };

type ContractFace = Pick<LiveTokenMetadata, "name" | "symbol" | "decimals">;

/**
 * Compares what the contract reports with the index, and asks for another reading where they differ. Returns the names of
 * the snapshot's block, with the decimals that all readings up to it and the contract agree on.
 */
const compared = async (scope: IndexedFacts, told: LiveTokenMetadata): Promise<ContractFace> => {
  const { facts, snapshot } = scope;
  const { token, name, symbol, decimals } = told;
  const block = snapshot.block.number;
  const [[stored], all] = await Promise.all([
    facts.ask(snapshot, "tokens_among", { tokens: [token] }),
    readingsOf(scope, [token]),
  ]);
  const readings = all.get(token) ?? [];
  // The contract may have been read at the head, where it has another name by now.
  if (block < (readings.at(-1)?.read_at_block ?? 0)) return readingAt(readings, block) ?? told;
  if (stored === undefined || block < stored.read_at_block) return told;
  const settled = settledDecimals([...readings, stored, told].map((reading) => reading.decimals));
  const differs = (said: string | number | null, known: string | number | null) => said !== null && said !== known;
  if (differs(name, stored.name) || differs(symbol, stored.symbol) || settled !== stored.decimals)
    requestReread(snapshot.network, token);
  return { name, symbol, decimals: decimals === null ? null : settled };
};

/**
 * `told` is the contract's metadata. If the contract returns nothing that fits a token but the token moved, it is a
 * token of the kind that its movements show, with unknown name and decimals. Null when it never moved either, and for an
 * account that runs foreign code.
 */
export const tokenOf = async (
  { facts, snapshot }: IndexedFacts,
  told: LiveTokenMetadata | undefined,
  token: Hex,
): Promise<ContractTokenMetadata | null> => {
  if (told?.is_account === true) return null;
  const has_hidden = told?.has_hidden === true;
  if (told !== undefined && told.standard !== null) {
    const { name, symbol, decimals } = await compared({ facts, snapshot }, told);
    return { ...told, standard: told.standard, has_hidden, name, symbol, decimals };
  }
  const [moved] = await facts.ask(snapshot, "token_kind", { token });
  if (moved === undefined) return null;
  const { name = null, symbol = null, decimals = null, total_supply = null } = told ?? {};
  return { token, standard: moved.kind, name, symbol, decimals, total_supply, has_hidden };
};

/**
 * The metadata of the requested token. Null when the address is not a token.
 * @throws `UPSTREAM_UNAVAILABLE` when only a node could decide and none answers.
 */
export const readTokenMetadata = async (scope: SnapshotContext, token: Hex) => {
  const face = metadataIn(await metadataOf(scope, [token]), token);
  if (face.standard !== null) return (await existed(scope, token)) ? { ...face, decimals: decimalsOf(face) } : null;
  const at = await nodeStateBlock(scope);
  const [live] = await scope.chain.tokenMetadata([token], scope.signal, at ?? undefined);
  const told = await tokenOf(scope, live, token);
  return told === null ? null : { ...told, decimals: decimalsOf(told) };
};

/** Whether a known token was one by the snapshot's block already: it had code or had moved. True where no node can tell. */
const existed = async ({ facts, chain, snapshot, signal }: SnapshotContext, token: Hex): Promise<boolean> => {
  if (token === "" || snapshot.is_past !== true || !chain.can.archive) return true;
  const [{ code }, moved] = await Promise.all([
    chain.account(token, signal, snapshot.block.number),
    facts.ask(snapshot, "token_kind", { token }),
  ]);
  return code.length > 0 || moved.length > 0;
};

/** Each piece of a collection is unique. */
const isCollection = (standard: string | null): boolean => standard === "erc721" || standard === "erc1155";

/** Decimals of a token's amounts: collectibles are counted in pieces. */
export const decimalsOf = ({ standard, decimals }: Pick<LiveTokenMetadata, "standard" | "decimals">): number | null =>
  isCollection(standard) ? 0 : decimals;

/** A token whose units are interchangeable. '' is a contract that is not a token. */
export const isFungible = (standard: string): boolean => standard !== "" && !isCollection(standard);
