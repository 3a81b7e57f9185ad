/** The past of an account from nodes that limit ranges of logs, each in its own words, and that lag. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ReplayServer, startReplay } from "../../../bench/replay/server.ts";
import { syntheticBlocks } from "../../../bench/replay/synthetic.ts";
import { type Hook, hookedNode, rpcError } from "../../../test/hooked_node.ts";
import { hex } from "../../lib/bytes.ts";
import { silentLog } from "../../lib/log.ts";
import { ethereum } from "../networks/known.gen.ts";
import { POOL_DEFAULTS } from "../node/endpoints.ts";
import { type AccountMarks, openAccountMarks } from "./account_marks.ts";
import { openPool } from "./pool.ts";

const signal = new AbortController().signal;
const WALLET = hex("00000000000000000000000000000000000000aa");
const LAST = 40_000;
/** Blocks that name the wallet in topic 2 (every 700th), and that it emitted logs in (every 9,000th). */
const inTopic = (block: number): boolean => block % 700 === 0;
const emitted = (block: number): boolean => block % 9_000 === 1;
const NAMED = Array.from({ length: LAST }, (_, i) => i + 1).filter((block) => inTopic(block) || emitted(block));

let replay: ReplayServer;
beforeAll(async () => {
  replay = await startReplay({
    blocks: syntheticBlocks({ shape: "transfers", count: 1, with_traces: false }),
    chain_id: 1,
  });
});
afterAll(() => replay.close());
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface LogQuery {
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly topics?: readonly (string | null)[];
  readonly address?: string;
}

const logsOf = ({ fromBlock, toBlock, topics, address }: LogQuery): readonly { blockNumber: string }[] => {
  const wanted = topics?.length === 3 ? inTopic : address === undefined ? () => false : emitted;
  const found: { blockNumber: string }[] = [];
  for (let block = Number(fromBlock); block <= Number(toBlock); block += 1)
    if (wanted(block)) found.push({ blockNumber: `0x${block.toString(16)}` });
  return found;
};

type Refusal = (blocks: number, logs: number) => ReturnType<typeof rpcError> | undefined;

const openPast = async (hook: Hook): Promise<{ readonly past: AccountMarks; readonly calls: () => number }> => {
  const node = await hookedNode(replay.url, hook);
  const pool = openPool(ethereum, { ...POOL_DEFAULTS, rpc: [node.url], log: silentLog });
  await pool.probeAtStart(20_000, signal);
  closing.push(
    () => node.close(),
    () => pool.close(),
  );
  return { past: openAccountMarks(pool, ethereum), calls: () => node.stats.calls };
};

const limited = (refusal: Refusal): Hook => {
  return ({ method, params }) => {
    if (method !== "eth_getLogs") return undefined;
    // The parameters of the JSON-RPC specification.
    const [asked] = params as [LogQuery];
    const logs = logsOf(asked);
    return refusal(Number(asked.toBlock) - Number(asked.fromBlock) + 1, logs.length) ?? { result: logs };
  };
};

describe("blocks of logs that name an address", () => {
  test.each<[string, Refusal]>([
    ["no limit", () => undefined],
    ["a range", (blocks) => (blocks > 2_000 ? rpcError("exceed maximum block range: 2000", -32600) : undefined)],
    [
      "a range, in other words",
      (blocks) => (blocks > 10_000 ? rpcError("eth_getLogs is limited to a 10,000 range", -32614) : undefined),
    ],
    ["a range that is too large", (blocks) => (blocks > 3_500 ? rpcError("block range too large", -32000) : undefined)],
    ["results", (_, logs) => (logs > 10 ? rpcError("query returned more than 10000 results", -32005) : undefined)],
    [
      "results of a node",
      (_, logs) =>
        logs > 10 ? rpcError("query exceeds max results 20000, retry with the range 1-500", -32602) : undefined,
    ],
    ["size", (_, logs) => (logs > 10 ? rpcError("Log response size exceeded.", -32602) : undefined)],
    ["a limit without words", (blocks) => (blocks > 5_000 ? rpcError("limit exceeded", -32000) : undefined)],
    ["time", (blocks) => (blocks > 5_000 ? rpcError("query timeout exceeded", -32000) : undefined)],
  ])("are all found under a limit of %s", async (_, refusal) => {
    const { past } = await openPast(limited(refusal));
    const { blocks, requests } = await past.logBlocks(WALLET, { from: 1, to: LAST }, signal);
    expect(blocks).toEqual(NAMED);
    // 4 searches of at most 40,000 / 1,000 pieces, and a few refusals.
    expect(requests).toBeLessThanOrEqual(4 * 40 + 40);
  });

  test("a second search begins with the width that the first one learned", async () => {
    let refused = 0;
    const { past } = await openPast(
      limited((blocks) => {
        if (blocks <= 2_000) return undefined;
        refused += 1;
        return rpcError("exceed maximum block range: 2000", -32600);
      }),
    );
    await past.logBlocks(WALLET, { from: 1, to: LAST }, signal);
    expect(refused).toBeGreaterThan(0);
    refused = 0;
    await past.logBlocks(WALLET, { from: 1, to: LAST }, signal);
    expect(refused).toBe(0);
  });

  test("a node that refuses a single block fails", async () => {
    const { past } = await openPast(limited(() => rpcError("block range too large", -32000)));
    await expect(past.logBlocks(WALLET, { from: 1, to: 4 }, signal)).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
  });

  test("logs of another range are a bad answer", async () => {
    const { past } = await openPast(({ method }) =>
      method === "eth_getLogs" ? { result: [{ blockNumber: "0x9" }] } : undefined,
    );
    await expect(past.logBlocks(WALLET, { from: 1, to: 4 }, signal)).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
  });
});

test("a search with a limit ends when more blocks than that have logs", async () => {
  const { past } = await openPast(
    limited((blocks) => (blocks > 2_000 ? rpcError("exceed maximum block range: 2000", -32600) : undefined)),
  );
  const range = { from: 1, to: LAST };
  const error = await past.logBlocks(WALLET, { ...range, blocks_max: 3 }, signal).catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: "TOO_MANY_BLOCKS", message: "it has more than 3 blocks" });
  // It emitted logs in five blocks, and the first of four searches finds these: 20 pieces, some refusals, and eight that run at once.
  expect((error as { requests: number }).requests).toBeLessThan(60);
  expect((await past.logBlocks(WALLET, { ...range, blocks_max: NAMED.length }, signal)).blocks).toEqual(NAMED);
});

describe("logs of contracts", () => {
  const address = (number: number) => hex(number.toString(16).padStart(40, "0"));
  const SYNC = hex("1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1");
  const logOf = (emitter: string, block: number, more: object = {}) => ({
    ...{ address: `0x${emitter}`, topics: [`0x${SYNC}`], data: "0x07", blockNumber: `0x${block.toString(16)}` },
    ...{ transactionIndex: "0x1", transactionHash: `0x${"7".repeat(64)}`, logIndex: "0x2", removed: false },
    ...more,
  });
  const query = { addresses: [address(1)], events: [SYNC], from: 1, to: 90 };

  const ask = async (answer: (filter: LogQuery & { readonly address: readonly string[] }) => readonly object[]) => {
    const { past } = await openPast(({ method, params }) =>
      // The parameters of the JSON-RPC specification.
      method === "eth_getLogs" ? { result: answer((params as [never])[0]) } : undefined,
    );
    if (past.logs === undefined) throw new Error("the chain reads no logs");
    return past.logs;
  };

  test("come in the order of the chain, with the time where the node repeats it", async () => {
    const logs = await ask(() => [logOf(address(1), 80), logOf(address(1), 7, { blockTimestamp: "0x64" })]);
    const found = await logs(query, signal);
    expect(found.requests).toBe(1);
    expect(found.logs.map(({ block, tx_index, index, time }) => [block, tx_index, index, time])).toEqual([
      [7, 1, 2, 100],
      [80, 1, 2, null],
    ]);
    expect(found.logs[0]?.tx_hash).toBe("7".repeat(64));
  });

  test("of 250 contracts take three requests, which name a hundred of them at most", async () => {
    const named: number[] = [];
    const logs = await ask((filter) => {
      named.push(filter.address.length);
      return [];
    });
    const addresses = Array.from({ length: 250 }, (_, i) => address(i + 1));
    expect(await logs({ ...query, addresses }, signal)).toEqual({ logs: [], requests: 3 });
    expect(named.sort((a, b) => a - b)).toEqual([50, 100, 100]);
  });

  test.each<[string, object]>([
    ["another contract", logOf(address(2), 5)],
    ["a removed block", logOf(address(1), 5, { removed: true })],
    ["another range", logOf(address(1), 91)],
  ])("of %s are a bad answer", async (_, log) => {
    const logs = await ask(() => [log]);
    await expect(logs(query, signal)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });
});

describe("logs that name one of many addresses", () => {
  const address = (number: number) => hex(number.toString(16).padStart(40, "0"));
  const topic = (number: number): string => `0x${address(number).padStart(64, "0")}`;
  const logOf = (emitter: number, block: number, topics: readonly string[]) => ({
    ...{ address: `0x${address(emitter)}`, topics: [`0x${"5".repeat(64)}`, ...topics], data: "0x" },
    ...{ blockNumber: `0x${block.toString(16)}`, logIndex: "0x0", removed: false },
  });
  const range = { from: 1, to: 90 };

  test("come by one request for each place of an address in a log", async () => {
    const asked: unknown[] = [];
    const { past } = await openPast(({ method, params }) => {
      if (method !== "eth_getLogs") return undefined;
      // The parameters of the JSON-RPC specification.
      const [{ topics, address: emitters }] = params as [{ topics?: readonly unknown[]; address?: unknown }];
      asked.push(topics ?? emitters);
      if (topics?.length === 2) return { result: [logOf(9, 7, [topic(1), topic(2)]), logOf(9, 8, [topic(2)])] };
      return { result: emitters === undefined ? [] : [logOf(3, 9, [])] };
    });
    const { named, requests } = await past.named([address(1), address(2), address(3)], range, signal);
    expect(requests).toBe(4);
    const all = [topic(1), topic(2), topic(3)];
    expect(asked).toHaveLength(4);
    expect(asked).toEqual(
      expect.arrayContaining([
        [null, all],
        [null, null, all],
        [null, null, null, all],
        [1, 2, 3].map((number) => `0x${address(number)}`),
      ]),
    );
    expect(named).toHaveLength(4);
    expect(named).toEqual(
      expect.arrayContaining([
        { address: address(1), block: 7 },
        { address: address(2), block: 7 },
        { address: address(2), block: 8 },
        { address: address(3), block: 9 },
      ]),
    );
  });

  test("of other addresses are a bad answer", async () => {
    const { past } = await openPast(({ method }) =>
      method === "eth_getLogs" ? { result: [logOf(9, 7, [topic(5)])] } : undefined,
    );
    const read = past.named([address(1), address(2)], range, signal);
    await expect(read).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });
});

test("states of more accounts than an array has come in their order", async () => {
  const { past } = await openPast(({ method, params }) => {
    if (method !== "eth_getBalance" && method !== "eth_getTransactionCount") return undefined;
    const block = Number(params[1]);
    if (!Number.isInteger(block)) return undefined;
    return { result: `0x${(Number(params[0]) + (method === "eth_getBalance" ? 1_000 : 0)).toString(16)}` };
  });
  const asked = Array.from({ length: 130 }, (_, i) => ({
    ...{ address: hex(i.toString(16).padStart(40, "0")), block: 7 },
    kind: i % 2 === 0 ? ("nonce" as const) : ("balance" as const),
  }));
  expect(await past.marksOfMany(asked, signal)).toEqual(asked.map((_, i) => BigInt(i % 2 === 0 ? i : 1_000 + i)));
});

test("the reader requests states again that a member of the node lacks", async () => {
  let asked = 0;
  const { past } = await openPast(({ method, params }) => {
    if (method !== "eth_getBalance" && method !== "eth_getTransactionCount") return undefined;
    const block = Number(params[1]);
    if (!Number.isInteger(block) || block > LAST) return undefined;
    asked += 1;
    if (asked % 3 === 0) return rpcError("header not found");
    return { result: method === "eth_getBalance" ? `0x${(block * 2).toString(16)}` : `0x${block.toString(16)}` };
  });
  const blocks = [0, 7, 30_000];
  expect(await past.marks({ address: WALLET, kind: "nonce", blocks }, signal)).toEqual([0n, 7n, 30_000n]);
  expect(await past.marks({ address: WALLET, kind: "balance", blocks }, signal)).toEqual([0n, 14n, 60_000n]);
});
