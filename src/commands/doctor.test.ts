import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Block, Transaction } from "../chains/chain.ts";
import { EndpointCounters } from "../chains/node/endpoint_counters.ts";
import { NodeRefusal } from "../chains/node/refusal.ts";
import type { EndpointTraits } from "../chains/open_chain.ts";
import { tools } from "../tools/index.ts";
import { estimateIndex } from "./doctor_estimate.ts";
import { type MeasuredChain, measure, type SustainedRate, sampleStarts } from "./doctor_measure.ts";
import { servedTools } from "./doctor_tools.ts";
import { adviceFor, estimateLines, type NodeFinding, nodeLines, toolLines } from "./doctor_words.ts";

/** Of a block the measurement reads its transactions and whether they came with their calls. */
const block = (number: number, has_traces: boolean): Block =>
  ({ number, has_traces, transactions: Array.from({ length: 3 }, () => ({}) as Transaction) }) as unknown as Block;

interface SlowNode {
  readonly ms: number;
  readonly fails?: (from: number) => boolean;
  readonly traced?: (number: number) => boolean;
}

/** A chain of one node whose every block is one request of four calls. */
const chainOf = ({ ms, fails = () => false, traced = () => true }: SlowNode) => {
  const counters = new EndpointCounters();
  const read: number[] = [];
  const pace = { requests_per_second: null, counts: "calls" as const, concurrency: 4, batch: 20 };
  const chain: MeasuredChain = {
    get endpoints() {
      return [counters.counts("http://node", pace)];
    },
    blocks: async (from, to, signal) => {
      const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i);
      for (const _ of numbers) counters.sent(4);
      await sleep(ms * numbers.length, undefined, { signal });
      if (fails(from)) {
        counters.failed(new NodeRefusal("rate", "slower"));
        throw new Error("no endpoint answers");
      }
      for (const number of numbers) {
        counters.answered(ms / 1000);
        read.push(number);
      }
      return numbers.map((number) => block(number, traced(number)));
    },
  };
  return { chain, read };
};

const how = (more: Partial<Parameters<typeof measure>[1]> = {}) => ({
  from: 100,
  to: 10_099,
  seconds: 0.5,
  transfersOf: ({ number }: Block) => (number < 5_000 ? 2 : 6),
  signal: new AbortController().signal,
  ...more,
});

test("Places lie over the whole range, the newest first, and a short chain has as many as it has", () => {
  expect(sampleStarts(0, 71, 2)).toEqual([70, 60, 50, 40, 30, 20, 10, 0]);
  expect(sampleStarts(5, 6, 16)).toEqual([5]);
  expect(sampleStarts(0, 0, 1)).toEqual([0]);
});

test("A node is measured by the blocks that it gave, in its own time, from all over the chain", async () => {
  const { chain, read } = chainOf({ ms: 10 });
  const sustained = await measure(chain, how());
  expect(sustained.blocks).toBe(read.length);
  expect(sustained.blocks_per_second).toBeCloseTo(sustained.blocks / sustained.seconds, 6);
  expect(sustained.requests_per_block).toBe(1);
  expect(sustained.calls_per_second / sustained.requests_per_second).toBeCloseTo(4, 6);
  expect([sustained.p50_seconds, sustained.transactions_per_block]).toEqual([0.01, 3]);
  expect(sustained.traced).toEqual({ blocks: sustained.blocks, with_traces: sustained.blocks });
  expect([Math.min(...read) < 1_000, Math.max(...read)]).toEqual([true, 10_099]);
  expect(read.every((number) => number >= 100 && number <= 10_099)).toBe(true);
});

test("reports failed blocks with their reason and counts the others", async () => {
  const { chain } = chainOf({ ms: 5, fails: (from) => from < 5_000 });
  const sustained = await measure(chain, how());
  expect(sustained.blocks).toBeGreaterThan(0);
  expect(sustained.errors.rate).toBeGreaterThan(0);
  expect(sustained.failures).toEqual(["no endpoint answers"]);
  // The upper halves of the places were read: six rows each.
  expect(sustained.transfers_per_block).toBe(6);
});

test("A node that gives no block in time ends the measurement, bounded, with no block and no pace", async () => {
  const { chain } = chainOf({ ms: 60_000 });
  const began_ms = performance.now();
  const sustained = await measure(chain, how({ seconds: 0.2 }));
  expect(performance.now() - began_ms).toBeLessThan(5_000);
  expect([sustained.blocks, sustained.blocks_per_second]).toEqual([0, 0]);
  expect(estimateIndex("evm", { from: 0, to: 9 }, sustained)).toBeNull();
});

test("An abort ends the measurement with its reason", async () => {
  const stop = new AbortController();
  const measuring = measure(chainOf({ ms: 50 }).chain, how({ seconds: 30, signal: stop.signal }));
  stop.abort(new Error("stopped"));
  await expect(measuring).rejects.toThrow("stopped");
});

const SUSTAINED: SustainedRate = {
  seconds: 20,
  blocks: 100,
  blocks_per_second: 5,
  requests_per_second: 10,
  calls_per_second: 60,
  requests_per_block: 2,
  errors: { rate: 0, size: 0, timeout: 0, connection: 0, http: 0, bad_answer: 0, rpc: 0 },
  waited_seconds: 0,
  limit_per_second: null,
  limit_counts: "requests",
  batch: 20,
  p50_seconds: 0.1,
  p95_seconds: 0.25,
  transactions_per_block: 150,
  transfers_per_block: 400,
  transfers_by_place: [400, 400, 400, 400],
  traced: { blocks: 90, with_traces: 90 },
  failures: [],
};

test("An index is estimated from the pace of the node or of writing, whichever is slower", () => {
  const estimate = estimateIndex("evm", { from: 0, to: 999_999 }, SUSTAINED);
  // 10^6 blocks / 5 per second = 200,000 s; 10^6 * 400 rows * 149 bytes = 59.6 GB; both within a factor of 1.5.
  expect(estimate?.seconds).toEqual({ from: 200_000 / 1.5, to: 300_000 });
  expect(estimate?.bytes.from).toBeCloseTo(59.6e9 / 1.5, -3);
  expect(estimate?.bytes.to).toBeCloseTo(89.4e9, -3);
  expect([estimate?.blocks, estimate?.requests, estimate?.limited_by]).toEqual([1_000_000, 2_000_000, "the node"]);
  // Writing took 1,572,581 / 2,000 * 36.4 = 28,621 rows a second: 71.6 blocks of 400 rows.
  const fast = estimateIndex("evm", { from: 0, to: 999_999 }, { ...SUSTAINED, blocks_per_second: 500 });
  expect(fast?.limited_by).toBe("writing");
  expect(fast?.seconds.to).toBeCloseTo((1_000_000 / (28_620.97 / 400)) * 1.5, 0);
});

test("Where parts of the chain differ the ranges are wider", () => {
  // Mean 400; standard deviation 461.9; its error over four places 230.9; twice of that is 1.155 of the mean.
  const uneven = estimateIndex("evm", { from: 0, to: 9 }, { ...SUSTAINED, transfers_by_place: [0, 0, 800, 800] });
  expect(uneven?.seconds.to).toBeCloseTo((10 / 5) * 2.1547, 3);
});

test("Solana and Tron are estimated by transactions", () => {
  const solana = estimateIndex("solana", { from: 1, to: 1_000 }, { ...SUSTAINED, transactions_per_block: 2_000 });
  // 1,000 blocks of 229 KB
  expect(solana?.bytes.to).toBeCloseTo(229e6 * 1.5, -2);
  const tron = estimateIndex("tron", { from: 1, to: 1_000 }, { ...SUSTAINED, transactions_per_block: 300 });
  expect(tron?.bytes.to).toBeCloseTo(56e6 * 1.5, -2);
});

test("Tools are full, partial or off by what their cards say that they use", () => {
  const all = { traces: true, archive: true, simulations: true };
  const levels = (served: Parameters<typeof servedTools>[2]) =>
    Object.fromEntries(servedTools(tools, "evm", served).map(({ tool, level }) => [tool, level]));
  expect(new Set(Object.values(levels(all)))).toEqual(new Set(["full"]));
  expect(Object.keys(levels(all))).toHaveLength(30);
  const blind = levels({ ...all, traces: false });
  expect([blind.get_wallet_transactions, blind.get_wallet_token_holdings, blind.resolve_ens]).toEqual([
    "partial",
    "full",
    "full",
  ]);
  expect(levels({ ...all, simulations: false }).get_token_risk_traits).toBe("partial");
  expect(new Set(Object.values(levels(null)))).toEqual(new Set(["off"]));
  const unknown = servedTools(tools, "evm", { ...all, traces: null });
  expect(unknown.find(({ tool }) => tool === "get_wallet_pnl")?.reason).toBe(
    "whether the nodes serve traces is not known",
  );
  // Trades are not simulated there: no state overrides.
  const solana = servedTools(tools, "solana", { ...all, simulations: false });
  expect(solana.find(({ tool }) => tool === "get_token_risk_traits")?.level).toBe("full");
});

const TRAITS: EndpointTraits = {
  chain_id: 1,
  client: "Geth/v1.16",
  head: 500,
  finalized: 430,
  receipts: "block",
  traces: "debug_traceBlockByNumber",
  archive: true,
  batch: 20,
  ms_per_call: 3,
};
const found = (traits: Partial<EndpointTraits>, sustained: Partial<SustainedRate> | null = {}): NodeFinding => ({
  endpoint: "http://node",
  family: "evm",
  problem: null,
  traits: { ...TRAITS, ...traits },
  sustained: sustained === null ? null : { ...SUSTAINED, ...sustained },
  oldest_state: null,
});
const advice = (finding: NodeFinding): readonly string[] => adviceFor("ethereum", finding);

test("reports each fault of a node in its own sentence, and none for a good node", () => {
  expect(advice(found({}))).toEqual([]);
  const cases: readonly [RegExp, NodeFinding][] = [
    [/takes about 5\.0 requests a second: set requests_per_second/, found({}, { limit_per_second: 5 })],
    [/is slow: an answer takes at most 2500 ms/, found({}, { p50_seconds: 2.5 })],
    [/gave no whole block in 20 s: no endpoint answers/, found({}, { blocks: 0, failures: ["no endpoint answers"] })],
    [/takes one call a request, and receipts one by one/, found({ batch: 1, receipts: "transaction" })],
    [/takes one call a request$/, found({ batch: 1 })],
    [/has no receipts of whole blocks/, found({ receipts: "transaction" })],
    [/gave traces of 40 of 90 blocks/, found({}, { traced: { blocks: 90, with_traces: 40 } })],
    [/does not have traces/, found({ traces: null }, { traced: { blocks: 90, with_traces: 0 } })],
    [/does not have old states/, found({ archive: false })],
    [/HTTP 403/, { ...found({}), traits: null, problem: "it refuses with HTTP 403" }],
  ];
  for (const [sentence, finding] of cases) {
    expect(advice(finding)).toHaveLength(1);
    expect(advice(finding)[0]).toMatch(sentence);
  }
});

test("does not blame a node for methods that its family lacks", () => {
  expect(advice({ ...found({ archive: false }), family: "solana" })).toEqual([]);
  expect(advice({ ...found({ archive: false, batch: 1 }), family: "tron" })).toEqual([]);
});

test("prints measurements with units, tools by name, and the estimate", () => {
  expect(nodeLines(found({ archive: false }, { limit_per_second: 5, waited_seconds: 12 }))).toEqual([
    "  http://node  Geth/v1.16",
    "    chain id 1, head 500, final 430, 3.0 ms per call, batches of 20",
    "    receipts by block, traces debug_traceBlockByNumber, archive no",
    "    measured for 20 s: 5.0 blocks/s (100 blocks with all that is indexed of them)",
    "    10 requests/s with 60 calls/s, 2.0 requests a block, up to 20 calls a request; no failures",
    "    an answer takes at most 100 ms (median), at most 250 ms (95 %); limit 5.0 requests/s, 12 s of waiting for it",
    "    traces in all 90 blocks with transactions",
  ]);
  const lines = toolLines(servedTools(tools, "evm", { traces: true, archive: true, simulations: false }));
  expect(lines).toEqual([
    "  tools: 29 full, 1 partial, 0 off",
    expect.stringMatching(/^ {4}partial \(no calls that look at a changed state .*\): get_token_risk_traits$/),
  ]);
  const estimate = estimateIndex("evm", { from: 0, to: 999_999 }, SUSTAINED);
  expect(estimate === null ? [] : estimateLines(estimate)).toEqual([
    "  a full index of 1,000,000 blocks: 1.5 days to 3.5 days, 40 GB to 89 GB of disk, about 2,000,000 requests",
    "    at 400 rows of transfers a block, as in the blocks read here from all parts of the range; the node sets the pace; writing as measured on two cores",
  ]);
});
