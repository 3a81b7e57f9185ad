/**
 * A chain of many blocks of which a few exist: those that concern some wallets are made once, with true hashes, signatures,
 * roots and call trees; any other block is an empty one, made when it is requested.
 */
import { answerCalls, KnownLogs } from "../replay/contracts.ts";
import { addressOf, hex } from "../replay/draws.ts";
import { type ReplayOptions, type ReplayServer, startReplay } from "../replay/server.ts";
import type { ReplayBlock, TextStore } from "../replay/stored_block.ts";
import { type OwnTransaction, SyntheticWorld } from "../replay/synthetic.ts";
import { FarWallet } from "./wallet.ts";

/** The node calls a block final when so many others follow it. */
export const FINAL_BEHIND = 64;

export interface FarLimits {
  /** Requests per second; without a limit if omitted. */
  readonly per_second?: number;
  /** An array of calls counts as one request, or as many as it has calls. */
  readonly counts?: "requests" | "calls";
}

export interface FarOptions extends FarLimits {
  readonly chain_id: number;
  readonly blocks: number;
  /** Wallets that appear in the chain; one if omitted. */
  readonly wallets?: number;
  /** Blocks that concern each of them. */
  readonly appearances: number;
  /** Transactions of a block besides the wallet's. */
  readonly others: number;
  readonly latency_ms: number;
  readonly keep?: TextStore;
}

export interface FarChain {
  readonly node: ReplayServer;
  readonly wallets: readonly FarWallet[];
}

/** One second's requests at once, and no more: `false` refuses. */
const admission = ({ per_second, counts = "requests" }: FarLimits): ((calls: number) => boolean) => {
  if (per_second === undefined) return () => true;
  let [left, then] = [per_second, performance.now()];
  return (calls) => {
    const now = performance.now();
    left = Math.min(per_second, left + ((now - then) * per_second) / 1_000);
    then = now;
    const cost = counts === "calls" ? calls : 1;
    if (left < cost) return false;
    left -= cost;
    return true;
  };
};

/** The answers about accounts; calls of contracts are those of a generated mainnet. */
const stateOf = (wallets: readonly FarWallet[], blocks: number): NonNullable<ReplayOptions["state"]> => {
  const known = new Map(wallets.map((wallet) => [wallet.address, wallet]));
  const answerCall = answerCalls();
  return (method, params) => {
    const [address, tag] = params;
    const state = known.get(String(address).toLowerCase())?.stateAt(/^0x/.test(String(tag)) ? Number(tag) : blocks);
    if (method === "eth_getTransactionCount") return hex(state?.nonce ?? 0);
    if (method === "eth_getBalance" && state !== undefined) return hex(state.balance);
    return answerCall(method, params);
  };
};

/** The wallets' transactions by block, ascending. */
const transactionsOf = (wallets: readonly FarWallet[]): readonly (readonly [number, readonly OwnTransaction[]])[] => {
  const blocks = new Map<number, OwnTransaction[]>();
  for (const wallet of wallets)
    for (const [place, one] of wallet.appearances.entries())
      blocks.set(one.block, [...(blocks.get(one.block) ?? []), wallet.transaction(one, place)]);
  return [...blocks].sort(([one], [other]) => one - other);
};

/** Starts the node of such a chain in this process. */
export const startFarChain = async (options: FarOptions): Promise<FarChain> => {
  const { blocks, others } = options;
  const wallets = Array.from(
    { length: options.wallets ?? 1 },
    (_, seed) => new FarWallet(options.appearances, blocks, seed),
  );
  const world = new SyntheticWorld({ shape: "mainnet", count: 0, with_traces: true });
  const parentOf = (number: number): string => `0x${addressOf(`parent:${number}`).slice(2).padStart(64, "0")}`;
  const empty = new Map<number, ReplayBlock>();
  const made = (number: number): ReplayBlock => {
    // A block is the same whenever it is requested.
    const block = empty.get(number) ?? world.block(number, parentOf(number), { others: 0 });
    empty.set(number, block);
    return block;
  };
  const logs = new KnownLogs(stateOf(wallets, blocks));
  function* all(): Generator<ReplayBlock> {
    for (const [number, own] of transactionsOf(wallets)) {
      const block = world.block(number, parentOf(number), { own, others });
      // No other transaction names a wallet.
      logs.add({ ...block, receipts: block.receipts.slice(0, own.length) });
      yield block;
    }
  }
  const node = await startReplay({
    blocks: all(),
    otherBlock: made,
    chain_id: options.chain_id,
    latency_ms: options.latency_ms,
    head: blocks + FINAL_BEHIND,
    admits: admission(options),
    state: logs.answer,
    ...(options.keep === undefined ? {} : { keep: options.keep }),
  });
  return { node, wallets };
};
