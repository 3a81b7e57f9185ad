import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AssayError, openAssay } from "../../sdk/src/index.ts";
import { WALLET } from "../contract/bench_tools.ts";
import { openService } from "../contract/service.ts";
import { FAULT_CASES, TIMEOUT_MS } from "./fault_cases.ts";
import { type FaultyServer, startFaulty } from "./faulty.ts";

// The real service with its real ledger, behind a proxy that corrupts its answers: no fault charges a call twice.
let service: Awaited<ReturnType<typeof openService>>;
let faulty: FaultyServer;
beforeAll(async () => {
  service = await openService();
  faulty = await startFaulty(service.url);
});
afterAll(async () => {
  await faulty.close();
  await service.close();
});
beforeEach(() => {
  faulty.keys.length = 0;
});

const ASKED = { address: WALLET, network: "demo" };
const paid = async () => 500_000 - (await service.store.meter.standing(service.customer.api)).credits_remaining;
const open = (more: object = {}) =>
  openAssay({ url: faulty.url, key: service.customer.key.secret, timeout_ms: TIMEOUT_MS, ...more });

/** How a call ended. */
const endOf = async (asking: Promise<{ readonly kind: string }>) => {
  try {
    return { ends: (await asking).kind };
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    return { ends: error.code, is_charged: error.is_charged };
  }
};

test.each(FAULT_CASES)("$name: $ends, $sent sent, $paid paid", async (one) => {
  const before = await paid();
  faulty.meet(...one.faults);
  const options = one.own_key === undefined ? {} : { idempotency_key: one.own_key };
  const ended = await endOf(open().call(one.tool, ASKED, options));
  const told = one.is_charged === undefined ? {} : { is_charged: one.is_charged };
  expect({ ...ended, sent: faulty.keys.length, paid: (await paid()) - before }).toEqual({
    ends: one.ends,
    sent: one.sent,
    paid: one.paid,
    ...told,
  });
  expect(new Set(faulty.keys).size).toBe(1);
  expect(faulty.keys[0]).toMatch(one.own_key === undefined ? /^[0-9a-f]{32}$/ : new RegExp(`^${one.own_key}$`));
  expect(await service.store.ledger.verify()).toEqual([]);
});

test("throws the signal's reason when aborted, sends no further request, and leaves other calls alone", async () => {
  const assay = open({ concurrency: 1 });
  const stop = new AbortController();
  const running = assay.call("wait", ASKED, { signal: stop.signal });
  const waiting = assay.call("show", ASKED, { signal: AbortSignal.timeout(50) });
  await expect(waiting).rejects.toMatchObject({ name: "TimeoutError" });
  stop.abort(new Error("enough"));
  await expect(running).rejects.toThrow("enough");
  expect(await endOf(assay.call("show", ASKED))).toEqual({ ends: "data" });
  expect(faulty.keys).toHaveLength(2);
});

test("follows no redirect, so the key is sent to no other host", async () => {
  faulty.meet("redirect", "redirect", "redirect", "redirect");
  expect(await endOf(open().call("show", ASKED))).toEqual({ ends: "no_answer", is_charged: null });
  expect(faulty.elsewhere).toEqual([]);
});

test("reports changed prices, and charges nothing", async () => {
  const { catalog_version, tools } = await open().list();
  expect(tools.find(({ name }) => name === "show")).toMatchObject({ credits: 3, networks: ["demo", "ethereum"] });
  expect(await endOf(open({ catalog_version }).call("show", ASKED))).toEqual({ ends: "data" });
  const asking = open({ catalog_version: "yesterday" }).call("show", ASKED);
  await expect(asking).rejects.toMatchObject({ code: "price_changed", is_charged: false, detail: { catalog_version } });
});

test("rejects unknown arguments and malformed keys at once", async () => {
  await expect(open().call("show", { ...ASKED, wallet: "x" })).rejects.toMatchObject({
    code: "invalid_request",
    status: 422,
    message: expect.stringContaining("Invalid arguments for tool 'show'"),
  });
  await expect(open({ key: "svc_live_nobody" }).call("show", ASKED)).rejects.toMatchObject({ code: "unauthorized" });
  await expect(open().call("show", ASKED, { idempotency_key: "two words" })).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("header.idempotency-key"),
  });
});

test("returns the cost of a result and the remaining credits", async () => {
  const { call } = await open().call("show", ASKED);
  expect(call).toMatchObject({ credits_charged: 3, credits_remaining: 500_000 - (await paid()), attempts: 1 });
  expect(call.request_id).toMatch(/^\S{8,}$/);
});

const WRONG = { address: "0x12", network: "demo" };

test("a batch has one outcome per input: a result, or the error that a single call would throw", async () => {
  const before = await paid();
  const items = await open().batch("show", [ASKED, WRONG, ASKED], { idempotency_key: "batch-1" });
  expect(items.map(({ kind }) => kind)).toEqual(["data", "refused", "data"]);
  const [first, refused] = items;
  expect(first?.kind === "data" && first.call).toMatchObject({ credits_charged: 3, idempotency_key: "batch-1.0" });
  if (refused?.kind !== "refused") throw new Error("the wrong address was accepted");
  expect(refused.error).toMatchObject({ code: "invalid_request", status: 422, is_charged: false });
  expect((await paid()) - before).toBe(6);
});

test("a batch whose answer was lost charges no item twice", async () => {
  const before = await paid();
  faulty.meet("cut_after");
  const items = await open().batch("show", [ASKED, WRONG]);
  const codes = items.map((item) => (item.kind === "refused" ? item.error.code : item.kind));
  expect(codes).toEqual(["answer_lost", "invalid_request"]);
  expect((await paid()) - before).toBe(3);
  expect(await service.store.ledger.verify()).toEqual([]);
});

test("a batch that is refused as a whole throws", async () => {
  await expect(open().batch("show", [])).rejects.toMatchObject({ code: "invalid_request", is_charged: false });
  await expect(open().batch("none", [ASKED])).rejects.toMatchObject({ code: "unknown_tool" });
});
