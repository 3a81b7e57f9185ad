import { afterEach, describe, expect, test } from "vitest";
import type { FaultKind, ReplayFault } from "../../../bench/replay/faults.ts";
import { type ReplayOptions, type ReplayServer, startReplay } from "../../../bench/replay/server.ts";
import { syntheticBlocks } from "../../../bench/replay/synthetic.ts";
import { eachNth } from "../../../test/long.ts";
import { hex, toHex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import { silentLog } from "../../lib/log.ts";
import type { Block } from "../chain.ts";
import { ethereum, tempo } from "../networks/known.gen.ts";
import type { ChainOptions, OpenChain } from "../open_chain.ts";
import { openEvmChain } from "./chain.ts";

const FIRST = 20_000_000;
const COUNT = 24;
const LAST = FIRST + COUNT - 1;
const signal = new AbortController().signal;
const blocks = syntheticBlocks({ shape: "transfers", count: COUNT, with_traces: true });

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const serve = async (options: Partial<ReplayOptions> = {}): Promise<ReplayServer> => {
  const replay = await startReplay({ blocks, chain_id: 1, ...options });
  closing.push(() => replay.close());
  return replay;
};

const open = async (replays: readonly ReplayServer[], options: Partial<ChainOptions> = {}): Promise<OpenChain> => {
  const rpc = replays.map((replay) => replay.url);
  const chain = await openEvmChain(ethereum, { rpc, log: silentLog, timeout_ms: 500, ...options }, signal);
  closing.push(() => chain.close());
  return chain;
};

/** Expects the whole range, exactly as generated. */
const expectWhole = (read: readonly Block[], of = blocks): void => {
  expect(read.map((block) => `0x${toHex(block.hash)}`)).toEqual(of.map((one) => one.block.hash));
  for (const [i, block] of read.entries()) {
    expect(block.transactions).toHaveLength(of[i]?.block.transactions.length ?? -1);
    // Every transaction of the shape `transfers` emits one log.
    expect(block.transactions.every((transaction) => transaction.logs.length === 1)).toBe(true);
    expect(block.has_traces).toBe(true);
  }
};

const failureOf = async (promise: Promise<unknown>): Promise<AssayError> => {
  const error = await promise.then(
    (value) =>
      new Error(`answered ${JSON.stringify(value, (_, one) => (typeof one === "bigint" ? String(one) : one))}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AssayError)) throw error;
  return error;
};

/** Faults and lies that can damage blocks. */
const HURTFUL: readonly FaultKind[] = [
  "http_500",
  "html",
  "garbage",
  "truncated",
  "reset",
  "rpc_error",
  "deep",
  "wrong_id",
  "short_batch",
  "null_result",
  "wrong_block",
  "wrong_parent",
  "missing_transaction",
  "missing_receipt",
  "missing_log",
  "missing_logs_and_filter",
  "swapped_receipts",
  "receipts_of_another_block",
  "missing_trace",
  "foreign_trace",
  "wrong_types",
];

describe("a broken node", () => {
  // A slice runs each of them in one of three ways.
  test.each(eachNth(HURTFUL, 3))("%s for ever: an error, never blocks", async (kind) => {
    const replay = await serve();
    const chain = await open([replay], { attempts_max: 2 });
    replay.faults.push({ kind });
    const error = await failureOf(chain.blocks(FIRST, LAST, signal));
    expect(error).toMatchObject({ code: "UPSTREAM_UNAVAILABLE", retryable: true });
    expect(error.public).not.toContain("127.0.0.1");
    expect(error.public).not.toContain("http");
  });

  test.each(eachNth(HURTFUL, 3, 1))("%s once: the blocks are read again and are whole", async (kind) => {
    const replay = await serve();
    const chain = await open([replay]);
    const fault: ReplayFault = { kind, times: 1 };
    replay.faults.push(fault);
    expectWhole(await chain.blocks(FIRST, LAST, signal));
    expect(fault.times).toBe(0);
  });

  test.each(eachNth(HURTFUL, 3, 2))("%s on the first of two: the second answers", async (kind) => {
    const [bad, good] = [await serve(), await serve()];
    const chain = await open([bad, good]);
    bad.faults.push({ kind });
    expectWhole(await chain.blocks(FIRST, LAST, signal));
  });

  test("a node that hangs times out and another one answers", async () => {
    const [bad, good] = [await serve(), await serve()];
    const chain = await open([bad, good], { timeout_ms: 200 });
    bad.faults.push({ kind: "hang" });
    expectWhole(await chain.blocks(FIRST, LAST, signal));
  });

  test("a single node that hangs ends as an error", async () => {
    const replay = await serve();
    const chain = await open([replay], { timeout_ms: 100, attempts_max: 2 });
    replay.faults.push({ kind: "hang" });
    expect((await failureOf(chain.head(signal))).code).toBe("UPSTREAM_UNAVAILABLE");
  });

  test("a caller that aborts gets its own reason at once", async () => {
    const replay = await serve();
    const chain = await open([replay], { timeout_ms: 60_000 });
    replay.faults.push({ kind: "hang" });
    const caller = new AbortController();
    const reason = new Error("enough");
    setTimeout(() => caller.abort(reason), 50);
    await expect(chain.blocks(FIRST, LAST, caller.signal)).rejects.toBe(reason);
  });

  test("a network whose only node hangs opens within the wait, and answers once the node does", async () => {
    const hang: ReplayFault = { kind: "hang" };
    const replay = await serve({ faults: [hang] });
    const started = performance.now();
    const chain = await open([replay], { timeout_ms: 1_500, open_wait_ms: 100 });
    expect(performance.now() - started).toBeLessThan(1_400);
    replay.faults.splice(0);
    expectWhole(await chain.blocks(FIRST, LAST, signal));
  });

  test.each(["http_429", "http_413"] as const)(
    "%s is not a fault of the node: the requests become smaller or slower",
    async (kind) => {
      const replay = await serve();
      const chain = await open([replay]);
      replay.faults.push({ kind, times: 3 });
      expectWhole(await chain.blocks(FIRST, LAST, signal));
    },
  );

  test("a node without batches gets one call at a time", async () => {
    const replay = await serve({ faults: [{ kind: "no_batch" }] });
    const chain = await open([replay]);
    const [report] = await chain.probe(signal);
    expect(report).toMatchObject({ problem: null, traits: { batch: 1 } });
    expectWhole(await chain.blocks(FIRST, LAST, signal));
  });

  test("stops reading an answer beyond the byte limit", async () => {
    const replay = await serve();
    const chain = await open([replay], { response_bytes_max: 2 << 20, attempts_max: 2 });
    replay.faults.push({ kind: "bloated" });
    expect((await failureOf(chain.blocks(FIRST, FIRST, signal))).code).toBe("UPSTREAM_UNAVAILABLE");
  });
});

describe("node identity", () => {
  test("rejects a node of another chain with a sentence that names both chains", async () => {
    const replay = await serve({ chain_id: 5 });
    const chain = await open([replay], { attempts_max: 2 });
    const [report] = await chain.probe(signal);
    expect(report?.problem).toBe("the node serves chain 5, but Ethereum is chain 1");
    expect((await failureOf(chain.head(signal))).code).toBe("UPSTREAM_UNAVAILABLE");
    expect(chain.can).toMatchObject({ traces: false, archive: false, overrides: false, simulations: false });
  });

  test("a wrong chain beside a right one does no harm", async () => {
    const chain = await open([await serve({ chain_id: 5 }), await serve()]);
    expectWhole(await chain.blocks(FIRST, LAST, signal));
  });

  test("the report states the node's capabilities and hides the rest of its address", async () => {
    const replay = await serve();
    const rpc = [`${replay.url}/v3/secret-key`];
    const chain = await openEvmChain(ethereum, { rpc, log: silentLog }, signal);
    closing.push(() => chain.close());
    const [report] = await chain.probe(signal);
    expect(JSON.stringify(report)).not.toContain("secret");
    expect(report?.traits).toMatchObject({
      chain_id: 1,
      client: "replay/1",
      head: LAST,
      finalized: FIRST,
      receipts: "block",
      traces: "debug_traceBlockByNumber",
      has_trace_block: false,
      archive: true,
      batch: expect.toSatisfy((batch: number) => batch >= 20),
    });
  });

  test("neither a log line nor an error contains the key in an endpoint's address", async () => {
    const replay = await serve({ faults: [{ kind: "http_500" }] });
    const lines: string[] = [];
    const write = (facts: object, message: string): void => {
      lines.push(JSON.stringify(facts) + message);
    };
    const log = { debug: write, info: write, warn: write, error: write };
    const rpc = [`${replay.url.replace("//", "//user:pass-key@")}/v3/path-key?token=query-key`];
    const chain = await openEvmChain(ethereum, { rpc, log, attempts_max: 2 }, signal);
    closing.push(() => chain.close());
    const error = await failureOf(chain.head(signal));
    expect(lines.length).toBeGreaterThan(0);
    expect(`${lines.join("\n")}${error.message}${error.public}`).not.toMatch(/pass-key|path-key|query-key/);
  });

  test("a network without a native coin has no native balances and no native fees", async () => {
    const replay = await serve({ chain_id: tempo.chain_id, state: () => "0x7b" });
    const chain = await openEvmChain(tempo, { rpc: [replay.url], log: silentLog }, signal);
    closing.push(() => chain.close());
    expect(await chain.nativeBalances([hex("aa".repeat(20))], signal)).toEqual([0n]);
    const [block] = await chain.blocks(FIRST, FIRST, signal);
    expect(block?.transactions.every((transaction) => transaction.fee === 0n)).toBe(true);
  });

  test("without eth_getBlockReceipts the receipts come one by one", async () => {
    const replay = await serve({ lacks: ["eth_getBlockReceipts"] });
    expectWhole(await (await open([replay])).blocks(FIRST, LAST, signal));
    // 34 transactions in each of 24 blocks.
    expect(replay.stats.calls.eth_getTransactionReceipt).toBe(34 * 24);
  });

  test("without traces, blocks say so and are otherwise whole", async () => {
    const replay = await serve({ lacks: ["debug_traceBlockByNumber", "trace_block"] });
    const chain = await open([replay]);
    expect(chain.can.traces).toBe(false);
    const read = await chain.blocks(FIRST, LAST, signal);
    expect(read.every((block) => !block.has_traces)).toBe(true);
    expect(read.flatMap((block) => block.transactions)).toHaveLength(34 * 24);
  });

  test("without a finalized tag, finality is a fixed number of blocks behind the head, and never below zero", async () => {
    const chain = await open([await serve({ finalized_behind: null })]);
    expect(await chain.finalized(signal)).toBe(LAST - ethereum.finality_blocks);
  });
});

describe("a moving chain", () => {
  test("blocks beyond the head are an error, not an empty range, and readable once they exist", async () => {
    const replay = await serve({ head: FIRST + 3 });
    const chain = await open([replay], { attempts_max: 2 });
    expect((await chain.head(signal)).number).toBe(FIRST + 3);
    expect(await chain.ref(FIRST + 4, signal)).toBeNull();
    expect((await failureOf(chain.blocks(FIRST, FIRST + 4, signal))).code).toBe("UPSTREAM_UNAVAILABLE");
    replay.setHead(FIRST + 4);
    expect(await chain.blocks(FIRST, FIRST + 4, signal)).toHaveLength(5);
  });

  test("after a reorganisation the new branch is read, joined to the old one", async () => {
    const replay = await serve();
    const chain = await open([replay]);
    await chain.blocks(FIRST, LAST, signal);
    const fork = 10;
    const parent_hash = blocks[fork - 1]?.block.hash ?? "";
    const branch = syntheticBlocks({
      shape: "transfers",
      count: 16,
      seed: 2,
      from: FIRST + fork,
      parent_hash,
      with_traces: true,
    });
    replay.replace(branch);
    expectWhole(await chain.blocks(FIRST, FIRST + 25, signal), [...blocks.slice(0, fork), ...branch]);
    expect((await chain.ref(FIRST + fork, signal))?.hash).toBe(branch[0]?.block.hash.slice(2));
  });

  test("an endpoint that lags behind another does not end the range", async () => {
    const chain = await open([await serve({ head: FIRST + 5 }), await serve()]);
    expectWhole(await chain.blocks(FIRST, LAST, signal));
  });
});
