/** Worlds that end at a block, and every answer that a caller can pin to a block. */

import { demoNetwork } from "../../src/commands/demo.ts";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import { tools } from "../../src/tools/index.ts";
import type { AnyTool } from "../../src/tools/tool.ts";
import type { EnabledNetwork } from "../../src/wiring/enabled_network.ts";
import { type HookedNode, hookedNode } from "../hooked_node.ts";

/** Names of a block whose meaning moves with the chain, and how far behind its newest block anvil keeps them. */
const BEHIND: Readonly<Record<string, number>> = { latest: 0, pending: 0, safe: 32, finalized: 64 };
const NUMBER = /^0x[0-9a-f]{1,8}$/;

const isLater = (param: unknown, last: number): boolean =>
  typeof param === "string" && NUMBER.test(param) && Number(param) > last;

/** A node whose chain ends at block `last`, in front of one whose chain goes on. */
const endingNode = (upstream: string, last: number): Promise<HookedNode> => {
  const named = (param: unknown): unknown => {
    const behind = typeof param === "string" ? BEHIND[param] : undefined;
    return behind === undefined ? param : `0x${Math.max(0, last - behind).toString(16)}`;
  };
  return hookedNode(
    upstream,
    ({ method, params }) => {
      if (method === "eth_blockNumber") return { result: `0x${last.toString(16)}` };
      return method.startsWith("eth_getBlock") && isLater(params[0], last) ? { result: null } : undefined;
    },
    { rewrite: (call) => ({ ...call, params: call.params.map(named) }) },
  );
};

/** The demo world's network on such a node. */
export const endingNetwork = async (world: EvmWorld, last: number) => {
  const node = await endingNode(world.url, last);
  const enabled: EnabledNetwork = { ...demoNetwork(world), rpc: [node.url], poll_ms: 100 };
  return { node, enabled };
};

/** Every tool whose answer a caller can pin to a block. */
export const PINNED: readonly AnyTool[] = tools.filter(({ input }) => "as_of_block" in input.shape);

type CallArguments = Readonly<Record<string, unknown>>;
interface Question {
  readonly tool: string;
  readonly args: CallArguments;
}

/** Calls of every such tool about these wallets, tokens and contracts. */
export const questionsAbout = (about: {
  readonly wallets: readonly string[];
  readonly tokens: readonly string[];
  readonly contracts: readonly string[];
  readonly transactions: readonly string[];
}): readonly Question[] =>
  PINNED.flatMap(({ name, input }) => {
    const subject = ["address", "wallet_address", "token_address", "contract_address", "tx_hash"].find(
      (field) => field in input.shape,
    );
    if (subject === undefined) throw new Error(`${name} is about nothing that this test knows`);
    const of_subject: Readonly<Record<string, readonly string[]>> = {
      ...{ token_address: about.tokens, contract_address: about.contracts, tx_hash: about.transactions },
      ...{ address: about.wallets, wallet_address: about.wallets },
    };
    return (of_subject[subject] ?? []).map((value) => ({ tool: name, args: { [subject]: value } }));
  });

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Paths at which two answers differ, with both values. */
export const differences = (one: unknown, other: unknown, at = ""): readonly string[] => {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.flatMap((value, i) => differences(value, other[i], `${at}[${i}]`));
  if (isRecord(one) && isRecord(other))
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
      differences(one[key], other[key], at === "" ? key : `${at}.${key}`),
    );
  const [first, second] = [JSON.stringify(one), JSON.stringify(other)];
  return first === second ? [] : [`${at}: ${first?.slice(0, 200)} and ${second?.slice(0, 200)}`];
};
