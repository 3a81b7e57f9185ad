import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { Meter } from "../../src/accounts/meter.ts";
import { benchHere, creditsOf, GOOD } from "./bench.ts";
import { postMcp } from "./mcp_client.ts";
import { modernMessage } from "./mcp_messages.ts";
import { rawPost } from "./raw.ts";
import type { ServiceSettings } from "./service.ts";

const FULL = 500_000;
const DEADLINE_MS = 500;
const BUSY = { detail: "The service is too busy to answer in time. Nothing is charged; try again in a moment." };
const keyed = { headers: { "idempotency-key": "a" } };

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Blocks the process's event loop. */
const block = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until; );
};

const hurried = (wrap: (meter: Meter) => Meter, more: ServiceSettings = {}) =>
  benchHere({ limits: { deadline_ms: DEADLINE_MS }, wrap, ...more });

/** Accounts of which one step does not end until the test releases it. */
const holding = (step: keyof Omit<Meter, "isPublic">) => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const wrap = (meter: Meter): Meter => ({
    ...meter,
    [step]: async (...asked: never[]) => {
      await released;
      return Reflect.apply(meter[step], meter, asked);
    },
  });
  return { wrap, release };
};

describe("accounts that take longer than the deadline", () => {
  test.each(["authenticate", "admit"] as const)("to %s: a 503 in time, and nothing is charged", async (step) => {
    const { wrap, release } = holding(step);
    const service = await hurried(wrap);
    const reply = await service.post("show");
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 503, body: BUSY });
    release();
    expect((await service.store.accounts.show(service.customer.account.id)).credits_used).toBe(0);
  });

  test("to charge: a 503 in time; a later charge is refunded, and the key may be used again", async () => {
    const { wrap, release } = holding("charge");
    const service = await hurried(wrap);
    const reply = await service.post("show", GOOD, keyed);
    expect(reply.status).toBe(503);
    expect(reply.body.detail).toMatch(/could not be charged in time/);
    expect(creditsOf(reply)).toMatchObject({ charged: 0 });
    release();
    const refunds = async () => (await service.store.connect()).all("select state, reason from charges");
    await expect.poll(refunds, { timeout: 60_000 }).toEqual([{ state: "refunded", reason: "late" }]);
    const { credits_used } = await service.store.accounts.show(service.customer.account.id);
    expect([credits_used, await service.store.ledger.verify()]).toEqual([0, []]);
  });

  test("to settle a refund: the caller does not wait for it", async () => {
    const { wrap, release } = holding("settle");
    const service = await hurried(wrap);
    const reply = await service.post("fail_softly");
    expect(reply.status).toBe(503);
    expect(creditsOf(reply)).toMatchObject({ charged: 0 });
    release();
  });

  test("to settle a finished call: 503 without data, no claim about the charge, and a refund in the end", async () => {
    const { wrap, release } = holding("settle");
    const service = await hurried(wrap);
    const reply = await service.post("show", GOOD, keyed);
    expect(reply.status).toBe(503);
    expect(reply.text).not.toContain("shown");
    expect(creditsOf(reply).charged).toBeNull();
    release();
    const used = async () => (await service.store.accounts.show(service.customer.account.id)).credits_used;
    await expect.poll(used, { timeout: 60_000 }).toBe(0);
    expect(await service.store.ledger.verify()).toEqual([]);
  });
});

describe("an answer that is ready when its deadline is over", () => {
  /** The charge is settled in time, and then this process is busy until the deadline has passed. */
  const held_up = (meter: Meter): Meter => ({
    ...meter,
    settle: async (...asked) => {
      const standing = await meter.settle(...asked);
      block(DEADLINE_MS + 50);
      return standing;
    },
  });

  test("is not sent and not charged: TIMEOUT goes out, and its key charges again", async () => {
    let is_held_up = true;
    const service = await hurried((meter) => ({
      ...meter,
      settle: (...asked) => (is_held_up ? held_up(meter) : meter).settle(...asked),
    }));
    const reply = await service.post("show", GOOD, keyed);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ status: "error", code: "TIMEOUT", metadata: { chain: "demo" } });
    expect(reply.body.message).toBe(
      "The answer was not ready within 0.5 seconds of the request. Nothing is charged; try again.",
    );
    expect(creditsOf(reply)).toMatchObject({ charged: 0, remaining: FULL });
    is_held_up = false;
    // For a moment, the process treats every arrival as one that waited while it was busy.
    const again = async () => creditsOf(await service.post("show", GOOD, keyed));
    await expect.poll(again, { timeout: 60_000 }).toMatchObject({ charged: 3, remaining: FULL - 3 });
    expect(await service.store.ledger.verify()).toEqual([]);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toContain('assay_calls_total{tool="show",ending="retracted"} 1');
  });

  test("over MCP is an error of the call with the same text", async () => {
    const service = await hurried(held_up);
    const message = modernMessage("tools/call", { name: "show", arguments: GOOD });
    const { body } = await postMcp(service.url, { key: service.customer.key.secret, ...message });
    expect(body.result).toMatchObject({
      isError: true,
      structuredContent: { status: "error", code: "TIMEOUT" },
      _meta: { "assay/credits_charged": 0, "assay/credits_remaining": FULL },
    });
    expect((await service.store.accounts.show(service.customer.account.id)).credits_used).toBe(0);
  });

  test("while the accounts do not answer gives no data and no claim, and is refunded once they do", async () => {
    const state = { is_away: true, tries: 0 };
    const service = await hurried((meter) => ({
      ...held_up(meter),
      retract: async (...asked) => {
        state.tries += 1;
        if (state.is_away) throw new Error("disk I/O error at /var/lib/secret.db");
        return meter.retract(...asked);
      },
    }));
    const reply = await service.post("show");
    expect(reply.status).toBe(503);
    expect(reply.text).not.toMatch(/shown|secret/);
    expect(creditsOf(reply).charged).toBeNull();
    state.is_away = false;
    const used = async () => (await service.store.accounts.show(service.customer.account.id)).credits_used;
    await expect.poll(used, { timeout: 60_000 }).toBe(0);
    expect(state.tries).toBeGreaterThan(1);
    expect(await service.store.ledger.verify()).toEqual([]);
  });
});

test("a call with too little of its time left is not charged and not run", async () => {
  // A call needs at least a tenth of the 500 ms to start.
  const service = await hurried((meter) => ({
    ...meter,
    admit: async (caller) => {
      block(DEADLINE_MS - 30);
      return meter.admit(caller);
    },
  }));
  const reply = await service.post("show", GOOD, keyed);
  expect({ status: reply.status, body: reply.body }).toEqual({ status: 503, body: BUSY });
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toContain('assay_shed_total{cause="deadline"} 1');
  expect(await (await service.store.connect()).all("select id from charges")).toEqual([]);
});

test("counts the time that a request waits while the process is busy: one that was sent before is too late", async () => {
  const service = await hurried((meter) => meter);
  // One beat, so that the process knows when it last ran on time.
  await pause(250);
  const socket = connect(service.port, "127.0.0.1");
  await once(socket, "connect");
  await pause(250);
  // The request waits unread in the connection while this process is busy.
  socket.write(rawPost("/api/tools/show", service.customer.key.secret, JSON.stringify(GOOD)));
  block(2 * DEADLINE_MS);
  const [answer] = await once(socket, "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 503 /);
  expect(String(answer)).toContain(BUSY.detail);
  await expect.poll(async () => (await service.post("show")).status, { timeout: 60_000 }).toBe(200);
});
