import { expect, test } from "vitest";
import { bench, benchHere, creditsOf, GOOD } from "../../../../test/contract/bench.ts";

const service = await bench();
const keyed = (key: string, more: Record<string, string> = {}) => ({ headers: { "idempotency-key": key, ...more } });

test("a completed key is refused, costs nothing and tells whether it was the same request", async () => {
  const first = await service.post("show", GOOD, keyed("a"));
  expect(creditsOf(first).charged).toBe(3);
  const left = creditsOf(first).remaining;

  // Defaults written out are the same request; so is another order of names.
  const again = await service.post("show", { network: "demo", page: 1, address: GOOD.address }, keyed("a"));
  expect(again.status).toBe(409);
  expect(again.body.detail).toEqual({
    code: "DUPLICATE_REQUEST",
    error_code: "DUPLICATE_REQUEST",
    message: expect.any(String),
    state: "completed",
    same_request: true,
  });
  expect(creditsOf(again)).toMatchObject({ charged: 0, remaining: left });

  const other = await service.post("find_nothing", GOOD, keyed("a"));
  expect(other.body.detail).toMatchObject({ state: "completed", same_request: false });
});

test("a running key is refused while its call goes on", async () => {
  const running = service.post("wait", GOOD, keyed("b"));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const second = await service.post("wait", GOOD, keyed("b"));
  expect(second.body.detail).toMatchObject({ code: "DUPLICATE_REQUEST", state: "running", same_request: true });
  expect((await running).status).toBe(200);
});

test("the key of a refunded call runs and charges again", async () => {
  for (const tool of ["fail_softly", "lose_node", "break_loudly"]) {
    await service.post(tool, GOOD, keyed(`c-${tool}`));
    const again = await service.post("show", GOOD, keyed(`c-${tool}`));
    expect({ status: again.status, charged: creditsOf(again).charged }).toEqual({ status: 200, charged: 3 });
  }
});

test("without the header every request is a call of its own", async () => {
  const before = creditsOf(await service.post("show")).remaining ?? 0;
  expect(creditsOf(await service.post("show")).remaining).toBe(before - 3);
});

test("refused arguments consume no key", async () => {
  expect((await service.post("show", { ...GOOD, page: 0 }, keyed("d"))).status).toBe(422);
  expect((await service.post("show", GOOD, keyed("d"))).status).toBe(200);
});

test("another version of the prices is refused with the new prices, and so is any other text", async () => {
  const { version } = creditsOf(await service.ask("/api/tools"));
  const right = await service.post("show", GOOD, { headers: { "x-credit-catalog-version": version ?? "" } });
  expect(right.status).toBe(200);
  const wrong = await service.post("show", GOOD, keyed("e", { "x-credit-catalog-version": "yesterday" }));
  expect(wrong.status).toBe(409);
  expect(wrong.body.detail).toMatchObject({
    code: "PRICE_CHANGED",
    error_code: "PRICE_CHANGED",
    catalog_version: version,
    prices: { show: 3, find_nothing: 5, hang: 25 },
  });
  expect(creditsOf(wrong).charged).toBe(0);
  // The refused call did not take its key.
  expect((await service.post("show", GOOD, keyed("e"))).status).toBe(200);
});

test("a changed price is charged at once and refuses the version read before", async () => {
  const changing = await benchHere();
  const { version } = creditsOf(await changing.ask("/api/tools"));
  await changing.store.prices.set("show", 7);
  const refused = await changing.post("show", GOOD, { headers: { "x-credit-catalog-version": version ?? "" } });
  expect(refused.body.detail.prices.show).toBe(7);
  const now = refused.body.detail.catalog_version;
  const paid = await changing.post("show", GOOD, { headers: { "x-credit-catalog-version": now } });
  expect(creditsOf(paid)).toMatchObject({ charged: 7, version: now });
});

test("a duplicate comes before the price version, and that before the credits", async () => {
  const first = await service.post("show", GOOD, keyed("f"));
  expect(first.status).toBe(200);
  const both = await service.post("show", GOOD, keyed("f", { "x-credit-catalog-version": "old" }));
  expect(both.body.detail.code).toBe("DUPLICATE_REQUEST");

  const poor = await benchHere({ plan: "free", accounts: { monotonic: tick(60_000) } });
  await spend(poor);
  const old = await poor.post("show", GOOD, { headers: { "x-credit-catalog-version": "old" } });
  expect(old.body.detail.code).toBe("PRICE_CHANGED");
});

/** A clock that moves on with each look, so that no rate limit is met. */
const tick = (step_ms: number) => {
  let at = 0;
  return () => {
    at += step_ms;
    return at;
  };
};

/** Uses up the 500 credits of the free plan with calls of 5: no_data is charged. */
const spend = async (service: Awaited<ReturnType<typeof benchHere>>) => {
  for (let calls = 0; calls < 100; calls += 1) expect((await service.post("find_nothing")).status).toBe(200);
  expect((await service.post("show")).status).toBe(429);
};
