import { describe, expect, test } from "vitest";
import { bench, benchHere, creditsOf, GOOD } from "../../../../test/contract/bench.ts";
import type { Meter } from "../../../accounts/meter.ts";
import { AssayError } from "../../../lib/errors.ts";

const FULL = 500_000;
const AWAY = { detail: "The service is temporarily unavailable. Nothing is charged; try again." };
const service = await bench();
const keyed = (key: string) => ({ headers: { "idempotency-key": key } });

const broken = async (): Promise<never> => {
  throw new Error("disk I/O error at /var/lib/secret.db");
};

describe("a run that breaks", () => {
  test("by our bug is 500 without internals, refunded", async () => {
    for (const tool of ["break_loudly", "meet_own_bug"]) {
      const reply = await service.post(tool);
      expect(reply.status).toBe(500);
      expect(reply.text).toBe('{"detail":"Internal server error"}');
      expect(creditsOf(reply)).toMatchObject({ charged: 0, remaining: FULL });
    }
  });

  test("because the facts are away is 503, refunded", async () => {
    const reply = await service.post("lose_facts");
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 503, body: AWAY });
    expect(creditsOf(reply)).toMatchObject({ charged: 0, remaining: FULL });
  });

  test("leaves the ledger whole", async () => {
    expect(await service.store.ledger.verify()).toEqual([]);
  });
});

test("a price that is unavailable is 503, charges nothing and takes no key", async () => {
  const other = await benchHere();
  await other.store.prices.set("show", null);
  const reply = await other.post("show", GOOD, keyed("a"));
  expect(reply.status).toBe(503);
  expect(reply.body.detail).toContain("price");
  expect(creditsOf(reply)).toMatchObject({ charged: 0, remaining: FULL });
  await other.store.prices.set("show", 3);
  expect((await other.post("show", GOOD, keyed("a"))).status).toBe(200);
});

describe("accounts that do not answer", () => {
  const faults: readonly (readonly [string, (meter: Meter) => Meter])[] = [
    ["authenticate", (meter) => ({ ...meter, authenticate: broken })],
    ["admit", (meter) => ({ ...meter, admit: broken })],
    ["charge", (meter) => ({ ...meter, charge: broken })],
  ];
  test.each(faults)("in %s are 503 without internals", async (_, wrap) => {
    const other = await benchHere({ wrap });
    const reply = await other.post("show");
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 503, body: AWAY });
  });

  test("in the catalog are 503 for discovery", async () => {
    let catalogs = 0;
    // The first look is the bench's own, at the OpenAPI document.
    const other = await benchHere({
      wrap: (meter) => ({ ...meter, catalog: () => (++catalogs === 1 ? meter.catalog() : broken()) }),
    });
    expect((await other.ask("/api/tools")).status).toBe(503);
  });

  test("after they have settled give 503 without data, and do not state the cost", async () => {
    const lost = new AssayError({ code: "ACCOUNTS_OUTCOME_UNKNOWN", message: "lost at /var/lib/secret.db" });
    const other = await benchHere({
      wrap: (meter) => ({ ...meter, settle: (...asked) => meter.settle(...asked).then(() => Promise.reject(lost)) }),
    });
    const reply = await other.post("show", GOOD, keyed("a"));
    expect(reply.status).toBe(503);
    expect(reply.text).not.toMatch(/shown|secret/);
    expect(creditsOf(reply)).toMatchObject({ charged: null, remaining: FULL - 3 });
    // It was charged indeed, and is not a second time.
    expect((await other.post("show", GOOD, keyed("a"))).body.detail).toMatchObject({ state: "completed" });
    // The settlement or the lease refunds a failure: nothing is charged either way.
    expect(creditsOf(await other.post("fail_softly"))).toMatchObject({ charged: 0 });
    expect(await other.store.ledger.verify()).toEqual([]);
  });

  test("in settling give 503 without data, and the lease refunds later", async () => {
    const other = await benchHere({ wrap: (meter) => ({ ...meter, settle: broken }) });
    const reply = await other.post("show", GOOD, keyed("a"));
    expect(reply.status).toBe(503);
    expect(reply.text).not.toContain("shown");
    expect(creditsOf(reply)).toMatchObject({ charged: 0, remaining: FULL - 3 });
    // 30 s deadline and 30 s beyond it.
    other.store.clock.at += 61_000;
    expect(await other.store.sweep()).toBe(1);
    expect(creditsOf(await other.ask("/api/tools")).remaining).toBe(FULL);
    expect(await other.store.ledger.verify()).toEqual([]);
  });

  test("that come back within the call change nothing", async () => {
    const other = await benchHere({
      wrap: (meter) => ({
        ...meter,
        standing: () => {
          throw new AssayError({ code: "ACCOUNTS_UNREADABLE", message: "gone" });
        },
      }),
    });
    const reply = await other.post("show");
    expect(creditsOf(reply)).toMatchObject({ charged: 3, remaining: FULL - 3 });
    // A refusal needs the standing for its headers: it goes out without them.
    expect(creditsOf(await other.post("nothing"))).toEqual({ charged: 0, remaining: null, version: null });
  });
});

test("a call whose lease ran out while it was paused is 503 without data and refunded once", async () => {
  const other = await benchHere();
  const call = other.post("wait", GOOD, keyed("a"));
  await new Promise((resolve) => setTimeout(resolve, 100));
  other.store.clock.at += 61_000;
  expect(await other.store.sweep()).toBe(1);
  const reply = await call;
  expect(reply.status).toBe(503);
  expect(reply.text).not.toContain("shown");
  expect(creditsOf(reply)).toMatchObject({ charged: 0, remaining: FULL });
  expect(await other.store.ledger.verify()).toEqual([]);
  expect((await other.post("show", GOOD, keyed("a"))).status).toBe(200);
});

test("over capacity the answer is a quick 503 that charges nothing", async () => {
  const other = await benchHere({ limits: { calls_max: 2, account_share_percent: 100, deadline_ms: 3_000 } });
  let ended = 0;
  const running = ["hang", "hang"].map((tool) => other.post(tool).finally(() => (ended += 1)));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const reply = await other.post("show", GOOD, keyed("a"));
  // It did not wait for those that run.
  expect(ended).toBe(0);
  expect(reply.status).toBe(503);
  expect(creditsOf(reply)).toMatchObject({ charged: 0, remaining: FULL - 50 });
  expect((await other.ask("/api/tools")).status).toBe(200);
  for (const call of running) expect((await call).status).toBe(200);
  expect((await other.post("show", GOOD, keyed("a"))).status).toBe(200);
});

describe("stopping", () => {
  test("lets running calls finish and takes no new ones", async () => {
    const other = await benchHere();
    const call = other.post("wait");
    await new Promise((resolve) => setTimeout(resolve, 100));
    const closed = other.rest.close();
    const reply = await call;
    expect({ status: reply.status, type: reply.body.type }).toEqual({ status: 200, type: "shown" });
    expect(reply.headers.get("connection")).toBe("close");
    await closed;
    await expect(other.post("show")).rejects.toThrow();
  });

  test("refunds what does not finish in time", async () => {
    const other = await benchHere({ limits: { closing_grace_ms: 100 } });
    const call = other.post("hang");
    await new Promise((resolve) => setTimeout(resolve, 100));
    await other.rest.close();
    const reply = await call;
    expect(reply.status).toBe(503);
    expect(creditsOf(reply)).toMatchObject({ charged: 0, remaining: FULL });
    expect(await other.store.ledger.verify()).toEqual([]);
  });
});
