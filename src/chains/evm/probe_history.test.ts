import { expect, test } from "vitest";
import type { RpcAnswer } from "../node/json_rpc.ts";
import { RpcError } from "../node/refusal.ts";
import { probeHistory } from "./probe_history.ts";

const HEAD = 1_000;
const ok = (result: unknown): RpcAnswer => ({ ok: true, result });
const failed = (message: string, code = -32000): RpcAnswer => ({
  ok: false,
  error: new RpcError(code, message, undefined),
});
const GONE = failed("the method does not exist/is not available", -32601);
const NOT_YET = failed("header not found");
const numberOf = (value: unknown): number => Number(value);

type ProbeResponder = (params: readonly unknown[], times: number) => RpcAnswer;

/**
 * A plain archive node like geth, except for the methods that a test changes. `times`: number of earlier calls of the
 * method.
 */
const probe = (changed: Readonly<Record<string, ProbeResponder>> = {}) => {
  const asked = new Map<string, number>();
  const plain: Readonly<Record<string, ProbeResponder>> = {
    debug_traceBlockByNumber: () => ok([]),
    eth_getBlockReceipts: () => ok([]),
    eth_getBlockByNumber: ([tag]) => ok({ number: tag === "finalized" ? "0x3a0" : tag, transactions: ["0xaa"] }),
    eth_getBalance: () => ok("0x0"),
    debug_traceTransaction: () => ok({ type: "CALL" }),
  };
  return probeHistory(async (method, ...params) => {
    const times = asked.get(method) ?? 0;
    asked.set(method, times + 1);
    return ({ ...plain, ...changed }[method] ?? (() => GONE))(params, times);
  }, HEAD);
};

const PLAIN = {
  traces: "debug_traceBlockByNumber",
  has_trace_block: false,
  receipts: "block",
  finalized: 928,
  archive: true,
  unknown: [],
};

test("finds the traits of a plain node", async () => {
  expect(await probe()).toEqual(PLAIN);
});

test("one block that is not traced yet, or one failure, decides nothing", async () => {
  const newest_is_late: ProbeResponder = ([number]) => (numberOf(number) === HEAD ? NOT_YET : ok([]));
  expect(await probe({ debug_traceBlockByNumber: newest_is_late, eth_getBlockReceipts: newest_is_late })).toEqual(
    PLAIN,
  );
  const null_at_first: ProbeResponder = ([number]) => ok(numberOf(number) === HEAD ? null : []);
  expect(await probe({ eth_getBlockReceipts: null_at_first })).toEqual(PLAIN);
  const once: ProbeResponder = (_, times) => (times === 0 ? failed("upstream connect error") : ok("0x0"));
  expect(await probe({ eth_getBalance: once })).toEqual(PLAIN);
  const late_final: ProbeResponder = ([tag], times) =>
    tag === "finalized" && times === 0
      ? NOT_YET
      : ok({ number: tag === "finalized" ? "0x3a0" : tag, transactions: [] });
  expect(await probe({ eth_getBlockByNumber: late_final })).toEqual(PLAIN);
});

test("a method that is missing or not in the plan differs from one that failed", async () => {
  const none = { debug_traceTransaction: () => GONE };
  expect(await probe({ ...none, debug_traceBlockByNumber: () => GONE })).toMatchObject({ traces: null, unknown: [] });
  const denied = () => failed("upgrade your plan to use this method");
  expect(await probe({ debug_traceTransaction: denied, debug_traceBlockByNumber: denied })).toMatchObject({
    traces: null,
    unknown: [],
  });
  expect(await probe({ ...none, debug_traceBlockByNumber: () => failed("execution timeout") })).toMatchObject({
    traces: "debug_traceBlockByNumber",
    unknown: ["traces"],
  });
  expect(await probe({ eth_getBlockReceipts: () => NOT_YET })).toMatchObject({
    receipts: "block",
    unknown: ["receipts"],
  });
  expect(await probe({ eth_getBlockReceipts: () => GONE })).toMatchObject({ receipts: "transaction", unknown: [] });
  expect(await probe({ eth_getBalance: () => failed("internal error") })).toMatchObject({
    archive: false,
    unknown: ["archive"],
  });
  expect(await probe({ eth_getBalance: () => failed("missing trie node 01") })).toMatchObject({
    archive: false,
    unknown: [],
  });
});

test("a node that traces single transactions only is used that way", async () => {
  expect(await probe({ debug_traceBlockByNumber: () => GONE })).toMatchObject({ traces: "debug_traceTransaction" });
});

test("a node without the finalized tag has none, and the trait is known", async () => {
  const untagged: ProbeResponder = ([tag]) =>
    tag === "finalized"
      ? failed("'finalized' tag not supported on pre-merge network")
      : ok({ number: tag, transactions: [] });
  expect(await probe({ eth_getBlockByNumber: untagged })).toMatchObject({ finalized: null, unknown: [] });
});
