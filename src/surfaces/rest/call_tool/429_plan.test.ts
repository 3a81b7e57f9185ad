import { expect, test } from "vitest";
import { benchHere, creditsOf, GOOD } from "../../../../test/contract/bench.ts";

/** A clock that moves a minute with each look, so that no rate limit is met. */
const minutes = () => {
  let at = 0;
  return () => {
    at += 60_000;
    return at;
  };
};

const PLANS = { tiny: { monthly_credits: 9, keys_max: 1, calls_per_minute: 120 } };

test("a call that the credits do not cover is refused whole, with the time of the reset", async () => {
  const service = await benchHere({ plan: "tiny", accounts: { plans: PLANS, monotonic: minutes() } });
  // 9 = 3 + 3 + 3; a call of 5 fits neither before the last nor after it.
  expect(creditsOf(await service.post("show")).remaining).toBe(6);
  expect(creditsOf(await service.post("show")).remaining).toBe(3);
  const dear = await service.post("find_nothing");
  expect(dear.status).toBe(429);
  expect(dear.body.detail).toEqual({
    error_code: "PLAN_LIMIT_REACHED",
    meter: "api_calls",
    plan_id: "tiny",
    limit: 9,
    resets_at: "2026-12-01T00:00:00Z",
    message: expect.stringContaining("tiny"),
  });
  // The bench's clock is at 2026-11-20T12:00Z: 10.5 days, 907,200 seconds.
  expect(dear.headers.get("retry-after")).toBe("907200");
  expect(creditsOf(dear)).toMatchObject({ charged: 0, remaining: 3 });
  expect(creditsOf(await service.post("show")).remaining).toBe(0);
  expect((await service.post("show")).status).toBe(429);
  expect(await service.store.ledger.verify()).toEqual([]);
});

test("it consumes no Idempotency-Key", async () => {
  const service = await benchHere({ plan: "tiny", accounts: { plans: PLANS, monotonic: minutes() } });
  const headers = { "idempotency-key": "k" };
  expect((await service.post("hang", GOOD, { headers })).status).toBe(429);
  expect((await service.post("show", GOOD, { headers })).status).toBe(200);
});

test("fifty calls at once are granted exactly as many as the credits cover", async () => {
  const service = await benchHere({ plan: "tiny", accounts: { plans: PLANS, monotonic: minutes() } });
  const replies = await Promise.all(Array.from({ length: 50 }, () => service.post("show")));
  expect(replies.filter(({ status }) => status === 200).length).toBe(3);
  expect(replies.filter(({ status }) => status === 429).length).toBe(47);
});
