import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readRecorded, readTraceBlockAnswer } from "../../../bench/replay/recorded.ts";
import { type ReplayServer, startReplay } from "../../../bench/replay/server.ts";
import { toHex } from "../../lib/bytes.ts";
import { silentLog } from "../../lib/log.ts";
import { networkFromConfig } from "../networks/from_config.ts";
import { networkById } from "../networks/index.ts";
import { openEvmChain } from "./chain.ts";
import { readTraceBlock, type TraceTarget } from "./traces.ts";

const FOLDER = join(process.cwd(), "../shared/data/evm");
const recorded = readRecorded(FOLDER);
if (recorded === null) console.warn(`recorded blocks are not tested: there is no ${FOLDER}`);

const signal = new AbortController().signal;
const replays: ReplayServer[] = [];
afterAll(() => Promise.all(replays.map((replay) => replay.close())));

const networkOf = (chain: string) =>
  networkById(chain === "hyperliquid" ? "hyperevm" : chain) ??
  networkFromConfig({ id: chain, chain_id: 1, native: { symbol: "ETH", decimals: 18 } });

describe.skipIf(recorded === null)("recorded blocks", () => {
  test.each(recorded ?? [])("$chain $number is read whole", async (one) => {
    const network = networkOf(one.chain);
    const replay = await startReplay({ blocks: [one.replay], chain_id: network.chain_id });
    replays.push(replay);
    const chain = await openEvmChain(network, { rpc: [replay.url], log: silentLog }, signal);
    const [block] = await chain.blocks(one.number, one.number, signal);
    await chain.close();
    expect(block?.transactions).toHaveLength(one.transactions);
    expect(block?.transactions.flatMap((transaction) => transaction.logs)).toHaveLength(one.logs);
    // The recordings lack headers of uncles, so the rewards of their miners are unknown.
    const named: unknown = Reflect.get(one.replay.block, "uncles");
    const has_uncles = Array.isArray(named) && named.length > 0 && one.chain === "ethereum";
    expect(block?.has_traces).toBe(one.traces > 0 && !has_uncles);
    // Headers of Cronos come from Tendermint: their hash does not cover the fields that the node states.
    expect(block?.verified).toBe(one.chain === "cronos" ? "none" : "full");
    const gas = block?.transactions.reduce((sum, transaction) => sum + transaction.gas_used, 0n);
    const header: unknown = Reflect.get(one.replay.block, "gasUsed");
    // A block's gas is the sum of its receipts'; Cronos counts transactions without a receipt by another rule.
    if (one.receipts === one.transactions) expect(gas).toBe(BigInt(String(header)));
  });

  test("only the three Cronos blocks that hit their gas limit have fewer receipts than transactions", () => {
    const short = recorded?.filter((one) => one.receipts < one.transactions).map((one) => one.number);
    expect(short).toEqual([131_465, 6_541, 68_216]);
  });

  test.each([
    // One uncle: 3 + 3/32, 2 + 2/32; none: 5, 2.
    [4_370_006, 3_093_750_000_000_000_000n],
    [7_280_016, 2_062_500_000_000_000_000n],
    [1_000_000, 5_000_000_000_000_000_000n],
    [11_098_450, 2_000_000_000_000_000_000n],
  ])("block %i pays its miner by rule, from a node without trace_block", async (number, amount) => {
    const one = recorded?.find((other) => other.number === number && other.chain === "ethereum");
    if (one === undefined) throw new Error(`block ${number} is not recorded`);
    const replay = await startReplay({ blocks: [one.replay], chain_id: 1 });
    replays.push(replay);
    const chain = await openEvmChain(networkOf("ethereum"), { rpc: [replay.url], log: silentLog }, signal);
    const [block] = await chain.blocks(number, number, signal);
    await chain.close();
    expect(block?.issuance).toEqual([{ kind: "reward", address: block?.producer, amount }]);
  });

  test("block 15753009 moves the coins that its transactions state", async () => {
    const one = recorded?.find((other) => other.number === 15_753_009);
    if (one === undefined) throw new Error("block 15753009 is not recorded");
    const replay = await startReplay({ blocks: [one.replay], chain_id: 1 });
    replays.push(replay);
    const chain = await openEvmChain(networkOf("ethereum"), { rpc: [replay.url], log: silentLog }, signal);
    const [block] = await chain.blocks(one.number, one.number, signal);
    await chain.close();
    // 0x393315c30 wei of base fee; the tip is the rest of the price.
    for (const transaction of block?.transactions ?? [])
      expect(transaction.fee - transaction.tip).toBe(0x393315c30n * transaction.gas_used);
    for (const call of block?.transactions.flatMap((transaction) => transaction.calls) ?? [])
      if (call.kind === "call") expect(call.value).toBeGreaterThan(0n);
  });
});

const withTraces = existsSync(join(FOLDER, "ethereum"))
  ? readdirSync(join(FOLDER, "ethereum")).filter((number) => readTraceBlockAnswer(FOLDER, "ethereum", Number(number)))
  : [];

describe.skipIf(withTraces.length === 0)("recorded trace_block answers", () => {
  const read = (number: number) => {
    const answer = readTraceBlockAnswer(FOLDER, "ethereum", number) ?? [];
    return { answer, ...readTraceBlock(answer, targetsIn(answer)) };
  };

  test.each(withTraces)("block %s yields calls of which none was undone", (number) => {
    const { answer, traces } = read(Number(number));
    const roots = entries(answer).filter((entry) => entry.type !== "reward" && entry.traceAddress.length === 0);
    expect(traces).toHaveLength(roots.length);
    const kept = traces.flatMap((trace) => trace.calls);
    // An independent count: an inner call counts if it moves coins or creates code and neither it nor an ancestor
    // failed.
    expect(kept).toHaveLength(entries(answer).filter((entry) => counts(entry, entries(answer))).length);
  });

  test("block 1000004 earned its miner 5 ETH, and withdrawals count once", () => {
    const { rewards } = read(1_000_004);
    expect(rewards.map((reward) => [toHex(reward.address), reward.amount])).toEqual([
      ["2a65aca4d5fc5b5c859090a6c34d164135398226", 5_000_000_000_000_000_000n],
    ]);
    expect(read(17_073_191).rewards).toEqual([]);
  });
});

interface RecordedTrace {
  readonly type: string;
  readonly error?: string;
  readonly traceAddress: readonly number[];
  readonly transactionHash?: string;
  readonly transactionPosition?: number;
  readonly action: { readonly from?: string; readonly value?: string; readonly callType?: string };
}

// Recorded answers of one client, whose shape the tests above check.
const entries = (answer: readonly unknown[]): readonly RecordedTrace[] => answer as readonly RecordedTrace[];

const targetsIn = (answer: readonly unknown[]): TraceTarget[] => {
  const targets: TraceTarget[] = [];
  for (const entry of entries(answer))
    if (entry.type !== "reward" && entry.traceAddress.length === 0 && entry.transactionPosition !== undefined)
      targets[entry.transactionPosition] = { hash: entry.transactionHash, from: entry.action.from };
  return targets;
};

const counts = (entry: RecordedTrace, all: readonly RecordedTrace[]): boolean => {
  if (entry.type === "reward" || entry.traceAddress.length === 0) return false;
  if (entry.type === "call" && (entry.action.callType !== "call" || BigInt(entry.action.value ?? "0x0") === 0n))
    return false;
  return !all.some(
    (other) =>
      other.error !== undefined &&
      other.transactionHash === entry.transactionHash &&
      other.traceAddress.every((place, i) => entry.traceAddress[i] === place),
  );
};
