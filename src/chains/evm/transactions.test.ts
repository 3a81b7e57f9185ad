import { expect, test } from "vitest";
import { BadAnswer } from "../node/answer.ts";
import { readReceiptLogs } from "./receipt_logs.ts";
import { readCallTracer, readTraceBlock } from "./traces.ts";
import { type EvmTransactionInput, readTransaction } from "./transactions.ts";

const A = `0x${"aa".repeat(20)}`;
const B = `0x${"bb".repeat(20)}`;
const C = `0x${"cc".repeat(20)}`;
const HASH = `0x${"11".repeat(32)}`;

const fields = { hash: HASH, from: A, to: B, value: "0x0", nonce: "0x1", gas: "0x5208", gasPrice: "0x64", input: "0x" };
const receipt = { transactionHash: HASH, gasUsed: "0x5208", status: "0x1", logs: [] };
const read = (
  change: Partial<{ fields: object; receipt: object } & Omit<EvmTransactionInput, "fields" | "receipt" | "told">> = {},
) =>
  readTransaction({
    index: 0,
    trace: null,
    base_fee: null,
    extra_data: null,
    pays_coin: true,
    committed: null,
    ...change,
    fields: { ...fields, ...change.fields },
    receipt: { ...receipt, ...change.receipt },
    told: readReceiptLogs({ ...receipt, ...change.receipt }),
  });

test("without a base fee the producer gets the whole fee, with one only the part beyond it", () => {
  // 21,000 gas at 100 wei; base fee 70 of it.
  expect(read()).toMatchObject({ fee: 2_100_000n, tip: 2_100_000n });
  expect(read({ base_fee: 70n })).toMatchObject({ fee: 2_100_000n, tip: 630_000n });
  // The receipt states the price paid; a price below the base fee (system transactions) leaves no tip.
  expect(read({ base_fee: 70n, receipt: { effectiveGasPrice: "0x50" } })).toMatchObject({
    fee: 1_680_000n,
    tip: 210_000n,
  });
  expect(read({ base_fee: 70n, receipt: { effectiveGasPrice: "0x0" } })).toMatchObject({ fee: 0n, tip: 0n });
});

test("blob gas and layer-1 data are part of the fee and not of the tip", () => {
  const more = { blobGasUsed: "0x20000", blobGasPrice: "0x2", l1Fee: "0x3e8" };
  // 2,100,000 + 131,072 * 2 + 1,000
  expect(read({ base_fee: 100n, receipt: more })).toMatchObject({ fee: 2_363_144n, tip: 0n });
});

test("a fee paid in a token is not a native fee", () => {
  expect(read({ fields: { feeCurrency: C } })).toMatchObject({ fee: 0n, tip: 0n });
  expect(read({ pays_coin: false })).toMatchObject({ fee: 0n, tip: 0n });
});

test("a deposit from layer 1 mints for its sender whether it succeeds or not, and pays nothing here", () => {
  const deposit = { type: "0x7e", mint: "0x2386f26fc10000", gasPrice: "0x0" };
  // 0x2386f26fc10000 wei are 0.01 ether.
  expect(read({ fields: deposit })).toMatchObject({ minted: 10_000_000_000_000_000n, fee: 0n, tip: 0n });
  expect(read({ fields: deposit, receipt: { status: "0x0" } }).minted).toBe(10_000_000_000_000_000n);
  expect(read({ fields: { type: "0x7e", gasPrice: "0x64" } })).toMatchObject({ fee: 0n, tip: 0n });
  expect(read({ fields: { type: "0x7e" } }).minted).toBeUndefined();
  // Arbitrum's deposit of 5 wei mints what it sends.
  expect(read({ fields: { type: "0x64", value: "0x5" } }).minted).toBe(5n);
  // The field means nothing on other types.
  expect(read({ fields: { ...deposit, type: "0x2" } }).minted).toBeUndefined();
});

test("before receipts had a status, the trace shows failure, else burnt gas does", () => {
  const old = { status: undefined };
  expect(read({ receipt: old, trace: { failed: true, calls: [] } }).succeeded).toBe(false);
  expect(read({ receipt: old, trace: { failed: false, calls: [] } }).succeeded).toBe(true);
  // A plain payment uses exactly its 21,000 gas and cannot fail.
  expect(read({ receipt: old }).succeeded).toBe(true);
  const all = { status: undefined, gasUsed: "0x186a0" };
  expect(read({ receipt: all, fields: { gas: "0x186a0" } }).succeeded).toBe(false);
  expect(read({ receipt: all, fields: { gas: "0x186a1" } }).succeeded).toBe(true);
});

test("a creation that failed created nothing", () => {
  const creation = { to: null };
  expect(read({ fields: creation, receipt: { contractAddress: C } }).created_contract).toHaveLength(20);
  expect(read({ fields: creation, receipt: { contractAddress: C, status: "0x0" } }).created_contract).toBeNull();
  expect(read({ receipt: { contractAddress: C } }).created_contract).toBeNull();
});

const target = { hash: HASH, from: A };
const frame = (type: string, more: object = {}) => ({ type, from: B, to: C, value: "0x5", input: "0x", ...more });
const inner = (...calls: object[]) =>
  readCallTracer([{ txHash: HASH, result: { type: "CALL", from: A, to: B, value: "0x9", calls } }], [target])[0]?.calls;

test("only calls with value, creations and self-destructs move something", () => {
  const kept = inner(
    frame("CALL"),
    frame("CALL", { value: "0x0" }),
    frame("DELEGATECALL"),
    frame("CALLCODE"),
    frame("STATICCALL", { value: undefined }),
    frame("CREATE", { value: "0x0", output: "0x00" }),
    frame("SELFDESTRUCT", { value: "0x0" }),
  );
  expect(kept?.map((call) => [call.kind, call.value])).toEqual([
    ["call", 5n],
    ["create", 0n],
    ["selfdestruct", 0n],
  ]);
});

test("calls below a delegate call count, calls below an error do not", () => {
  expect(inner(frame("DELEGATECALL", { calls: [frame("CALL", { value: "0x7" })] }))?.map((call) => call.value)).toEqual(
    [7n],
  );
  expect(
    inner(frame("CALL", { error: "out of gas", calls: [frame("CALL")] }), frame("CALL", { value: "0x3" })),
  ).toMatchObject([{ value: 3n }]);
});

test("walks a call tree a hundred thousand deep", () => {
  let tree: object = frame("CALL", { value: "0x1" });
  for (let i = 0; i < 100_000; i += 1) tree = frame("DELEGATECALL", { calls: [tree] });
  expect(inner(tree)).toMatchObject([{ value: 1n }]);
});

const entry = (traceAddress: number[], more: object = {}) => ({
  type: "call",
  traceAddress,
  transactionHash: HASH,
  transactionPosition: 0,
  action: { callType: "call", from: traceAddress.length === 0 ? A : B, to: C, value: "0x5" },
  ...more,
});
const flat = (...list: object[]) => readTraceBlock(list, [target]).traces[0];

test("in a flat trace an error undoes its own subtree and nothing beside it", () => {
  // [1] failed and undoes [1,0] and [1,0,0]; [0] and [2] stay.
  const trace = flat(
    entry([]),
    entry([0]),
    entry([1], { error: "Reverted" }),
    entry([1, 0]),
    entry([1, 0, 0], { error: "Out of gas" }),
    entry([2], { action: { callType: "call", from: B, to: C, value: "0x8" } }),
  );
  expect(trace?.calls.map((call) => call.value)).toEqual([5n, 8n]);
  expect(flat(entry([], { error: "Reverted" }), entry([0]))).toEqual({ failed: true, calls: [] });
});

test("rejects a flat trace without an outermost call, with two, or of another transaction", () => {
  expect(() => flat()).toThrow(BadAnswer);
  expect(() => flat(entry([0]))).toThrow(BadAnswer);
  expect(() => flat(entry([]), entry([]))).toThrow(BadAnswer);
  expect(() => flat(entry([], { transactionHash: "0x22" }))).toThrow(BadAnswer);
});

test("a deposit without a nonce takes the nonce of its receipt, or 0; another kind must state one", () => {
  const deposit = { type: "0x7e", gasPrice: "0x0", nonce: undefined };
  expect(read({ fields: deposit }).nonce).toBe(0);
  expect(read({ fields: { ...deposit, nonce: null }, receipt: { depositNonce: "0x2a" } }).nonce).toBe(42);
  expect(read({ fields: { type: "0x64", nonce: undefined } }).nonce).toBe(0);
  expect(() => read({ fields: { nonce: undefined } })).toThrow("nonce is not a quantity");
});

test("values that a hashed transaction's kind implies are filled in if the node omits them, and compared if not", () => {
  const committed = { gas_used: 21_000n, sender: null, is_hashed: true, price: "told", has_layer1_fee: true } as const;
  const canyon = { depositNonce: "0x7", depositReceiptVersion: "0x1", effectiveGasPrice: "0x0" };
  const deposit = { type: "0x7e", nonce: undefined };
  expect(read({ committed, fields: deposit, receipt: canyon }).nonce).toBe(7);
  expect(() => read({ committed, fields: { ...deposit, nonce: "0x8" }, receipt: canyon })).toThrow("the nonce");
  // An internal transaction of ArbOS names its own address on both sides.
  const arbos = `0x${"0".repeat(34)}0a4b05`;
  const internal = { type: "0x6a", from: arbos, to: undefined, nonce: undefined, value: undefined };
  const made = read({ committed, fields: internal });
  expect(made.recipient).toEqual(Buffer.from(arbos.slice(2), "hex"));
  expect(made).toMatchObject({ nonce: 0, value: 0n, created_contract: null });
});
