/**
 * Blocks from nodes that lack some data at first, or serve it in one way only: no fact that any endpoint has is lost.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type ReplayServer, startReplay } from "../../../bench/replay/server.ts";
import { syntheticBlocks } from "../../../bench/replay/synthetic.ts";
import { type Hook, type HookedNode, hookedNode, rpcError } from "../../../test/hooked_node.ts";
import { silentLog } from "../../lib/log.ts";
import type { Block } from "../chain.ts";
import { ethereum } from "../networks/known.gen.ts";
import { openEvmChain } from "./chain.ts";

const FIRST = 20_000_000;
const COUNT = 8;
const LAST = FIRST + COUNT - 1;
/** The block that the node serves in another way. */
const ODD = FIRST + 3;
const signal = new AbortController().signal;
const blocks = syntheticBlocks({ shape: "transfers", count: COUNT, with_traces: true });
const receipts = new Map(blocks.flatMap((one) => one.receipts.map((receipt) => [receipt.transactionHash, receipt])));
// Traces of syntheticBlocks: one for each transaction.
const traces = new Map(
  blocks.flatMap((one) =>
    (one.traces as { txHash: string; result: object }[]).map(({ txHash, result }) => [txHash, result]),
  ),
);

let replay: ReplayServer;
let plain: readonly Block[];
beforeAll(async () => {
  replay = await startReplay({ blocks, chain_id: 1 });
  plain = await read([replay.url]);
});
afterAll(() => replay.close());
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const read = async (rpc: readonly string[], attempts_max = 3): Promise<readonly Block[]> => {
  const chain = await openEvmChain(ethereum, { rpc, log: silentLog, attempts_max, open_wait_ms: 20_000 }, signal);
  try {
    return await chain.blocks(FIRST, LAST, signal);
  } finally {
    await chain.close();
  }
};

const serve = async (hook: Hook): Promise<HookedNode> => {
  const node = await hookedNode(replay.url, hook);
  closing.push(() => node.close());
  return node;
};

const numberOf = (params: readonly unknown[]): number => Number(params[0]);
const isOf =
  (method: string, number = ODD) =>
  (call: Parameters<Hook>[0]) =>
    call.method === method && numberOf(call.params) === number;
const single: Hook = ({ method, params }) =>
  method === "eth_getTransactionReceipt" ? { result: receipts.get(String(params[0])) ?? null } : undefined;
const traced: Hook = ({ method, params }) =>
  method === "debug_traceTransaction" ? { result: traces.get(String(params[0])) ?? null } : undefined;
/** The first hook that has an answer. */
const first =
  (...hooks: readonly Hook[]): Hook =>
  (call) => {
    for (const hook of hooks) {
      const answer = hook(call);
      if (answer !== undefined) return answer;
    }
    return undefined;
  };
const atFirst = (times: number, matches: (call: Parameters<Hook>[0]) => boolean, answer: ReturnType<Hook>): Hook => {
  let left = times;
  return (call) => {
    if (left === 0 || !matches(call)) return undefined;
    left -= 1;
    return answer;
  };
};
const always = (matches: (call: Parameters<Hook>[0]) => boolean, answer: ReturnType<Hook>): Hook =>
  atFirst(Number.POSITIVE_INFINITY, matches, answer);

const receiptsOf = isOf("eth_getBlockReceipts");
const tracesOf = isOf("debug_traceBlockByNumber");

test.each<[string, Hook]>([
  [
    "block receipts of one block fail",
    first(always(receiptsOf, rpcError("failed to find transaction in block")), single),
  ],
  ["block receipts of one block are null", first(always(receiptsOf, { result: null }), single)],
  ["block receipts are null at first", atFirst(1, receiptsOf, { result: null })],
  [
    "the method for block receipts is gone",
    first(
      always(({ method }) => method === "eth_getBlockReceipts", rpcError("gone", -32601)),
      single,
    ),
  ],
  ["the newest block is not there at first", atFirst(2, isOf("eth_getBlockByNumber", LAST), { result: null })],
  ["a trace fails once: header not found", atFirst(1, tracesOf, rpcError("header not found"))],
  ["a trace fails once: block not found", atFirst(1, tracesOf, rpcError(`block #${ODD} not found`))],
  ["a trace fails once: timeout", atFirst(1, tracesOf, rpcError("execution timeout"))],
  ["one block is traced transaction by transaction", first(always(tracesOf, rpcError("response is too slow")), traced)],
  [
    "all blocks are traced transaction by transaction",
    first(
      always(({ method }) => /^(debug_traceBlock|trace_)/.test(method), rpcError("gone", -32601)),
      traced,
    ),
  ],
])("%s: the same blocks", async (_, hook) => {
  const node = await serve(hook);
  expect(await read([node.url])).toEqual(plain);
});

test("a pruned node before an archive node: every block has its traces", async () => {
  const is_pruned: Hook = ({ method, params }) =>
    method === "debug_traceBlockByNumber" && numberOf(params) < LAST - 2
      ? rpcError("required historical state unavailable (reexec=128)")
      : undefined;
  const pruned = await serve(is_pruned);
  expect(await read([pruned.url, replay.url])).toEqual(plain);
  // Alone, it serves the blocks without the pruned traces, and Assay logs that.
  const alone = await read([pruned.url]);
  expect(alone.map(({ has_traces }) => has_traces)).toEqual(plain.map(({ number }) => number >= LAST - 2));
  expect(alone.map(({ transactions }) => transactions.length)).toEqual(
    plain.map(({ transactions }) => transactions.length),
  );
});

test("a block that no endpoint traces comes without traces after enough retries", async () => {
  const node = await serve(always(tracesOf, rpcError("header not found")));
  const lacking = await read([node.url], 2);
  expect(lacking.filter(({ has_traces }) => !has_traces).map(({ number }) => number)).toEqual([ODD]);
});

test("rejects an empty list of receipts, and a trace that lacks a transaction", async () => {
  const empty = await serve(first(always(receiptsOf, { result: [] }), single));
  await expect(read([empty.url], 1)).rejects.toMatchObject({ block: ODD, check: "receipt_count" });
  const short = await serve(first(always(tracesOf, { result: [] }), traced));
  await expect(read([short.url], 1)).rejects.toMatchObject({ block: ODD, check: "traces" });
});

test("single receipts that fail are an error of the read", async () => {
  const node = await serve((call) =>
    /Receipts?$/.test(call.method) ? rpcError("transaction indexing is in progress") : undefined,
  );
  await expect(read([node.url], 1)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
});

test("a node that fails every fiftieth call needs few more calls than a plain one", async () => {
  const counted = await serve(() => undefined);
  await read([counted.url]);
  let calls = 0;
  const flaky = await serve(({ method }) => {
    calls += 1;
    return calls % 50 === 0 && /Block/.test(method) ? rpcError("header not found") : undefined;
  });
  expect(await read([flaky.url])).toEqual(plain);
  expect(flaky.stats.calls).toBeLessThan(1.3 * counted.stats.calls);
});

test("a block that several replicas lack is requested alone, and the blocks beside it once", async () => {
  let receipts_asked = 0;
  const counting: Hook = ({ method }) => {
    if (method === "eth_getBlockReceipts") receipts_asked += 1;
    return undefined;
  };
  const lacking = atFirst(4, isOf("eth_getBlockByNumber"), { result: null });
  const node = await serve(first(counting, lacking));
  const probe = await openEvmChain(ethereum, { rpc: [node.url], log: silentLog, open_wait_ms: 20_000 }, signal);
  await probe.close();
  const asked_by_probe = receipts_asked;
  expect(await read([node.url])).toEqual(plain);
  expect(receipts_asked - 2 * asked_by_probe).toBe(COUNT);
});
