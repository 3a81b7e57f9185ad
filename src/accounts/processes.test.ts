import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openLedger } from "./ledger.ts";
import { lockOf } from "./pools.ts";
import { openPrices } from "./prices.ts";
import { type CompiledProgram, compileProgram } from "./testing/process.ts";
import { charged, openCustomer, request, TOOLS } from "./testing/store.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";
import { writeLocation } from "./testing/temporary_accounts.ts";

// Real processes on one store, with the real clock.
let compiled: CompiledProgram;
beforeAll(() => {
  compiled = compileProgram("src/accounts/testing/child.ts");
});
afterAll(() => compiled.remove());

let store: TemporaryStore;
/** Offset of this process's clock from its children's. */
let ahead_ms: number;
beforeEach(async () => {
  ahead_ms = 0;
  store = await openTemporary({ now: () => Date.now() + ahead_ms });
});
afterEach(async () => {
  const violations = await store.ledger.verify();
  await store.remove();
  expect(violations).toEqual([]);
});

test("grants two processes that spend one pool concurrently exactly its credits", async () => {
  const { api, key, account } = await openCustomer(store, "plus");
  const [a, b] = await Promise.all([
    compiled.start(writeLocation(store.place), key.secret),
    compiled.start(writeLocation(store.place), key.secret),
  ]);
  const heard = [a.hear("spent"), b.hear("spent")];
  a.say("spend 400");
  b.say("spend 400");
  const mine = await Promise.all(Array.from({ length: 200 }, () => store.meter.charge(request(api))));
  const spent = await Promise.all(heard);
  const granted =
    spent.reduce((sum, { charged: count }) => sum + Number(count), 0) +
    mine.filter((result) => result.kind === "charged").length;
  const refused =
    spent.reduce((sum, { refused: count }) => sum + Number(count), 0) +
    mine.filter((result) => result.kind === "plan_limit").length;
  // 5,000 / 25 = 200 of 1,000.
  expect(granted).toBe(200);
  expect(refused).toBe(800);
  expect(await store.accounts.show(account.id)).toMatchObject({ credits_used: 5_000, credits_remaining: 0 });
  await Promise.all([a.close(), b.close()]);
});

test("loses and doubles no acknowledged charge when a process is killed while charging", async () => {
  const { key, account } = await openCustomer(store);
  const database = await store.connect();
  for (let round = 0; round < 4; round += 1) {
    const child = await compiled.start(writeLocation(store.place), key.secret);
    const first = child.hear("done");
    child.say("storm");
    await first;
    await sleep(60 + round * 45);
    await child.kill();
    expect(await store.ledger.verify()).toEqual([]);
    const rows = await database.all<{ id: string; state: string }>("select id, state from charges");
    const states = new Map(rows.map((row) => [row.id, row.state]));
    for (const { event, id } of child.seen.filter((facts) => typeof facts.id === "string")) {
      const state = states.get(String(id));
      // An acknowledged settlement is stored; an acknowledged charge is stored in some state.
      if (event === "charged") expect(["running", "done", "refunded"]).toContain(state);
      else expect(state).toBe(event);
    }
  }
  // Each child swept its predecessor's charges; the last one's are swept here, long before their lease ends.
  await store.sweep();
  const left = await database.all("select id from charges where state = 'running'");
  expect(left).toEqual([]);
  const done = await database.get<{ credits: number }>(
    "select sum(credits) as credits from charges where state = 'done'",
  );
  expect(await store.accounts.show(account.id)).toMatchObject({ credits_used: done?.credits });
  await database.close();
});

test("refunds the running charges of a killed process at the next start or sweep, but not those of a live one", async () => {
  const { key, account, api } = await openCustomer(store);
  const [dies, lives] = await Promise.all([
    compiled.start(writeLocation(store.place), key.secret),
    compiled.start(writeLocation(store.place), key.secret),
  ]);
  const held = [dies.hear("held"), lives.hear("held")];
  dies.say("hold 3");
  lives.say("hold 2");
  await Promise.all(held);
  const mine = charged(await store.meter.charge(request(api)));
  // 6 * 25
  expect(await store.accounts.show(account.id)).toMatchObject({ credits_used: 150 });
  expect(await store.sweep()).toBe(0);
  await dies.kill();
  const successor = await compiled.start(writeLocation(store.place), key.secret);
  expect(await store.accounts.show(account.id)).toMatchObject({ credits_used: 75 });
  await lives.kill();
  // A database server notices the death a moment later than the parent.
  let refunded = 0;
  while (refunded === 0) refunded = await store.sweep();
  expect(refunded).toBe(2);
  expect(await store.meter.settle(mine.charge_id, "done", null)).not.toBeNull();
  expect(await store.accounts.show(account.id)).toMatchObject({ credits_used: 25 });
  await successor.close();
});

test("charges nothing when a process dies before its charge commits, and the same idempotency key works", async () => {
  const { key, api, account } = await openCustomer(store);
  const child = await compiled.start(writeLocation(store.place), key.secret);
  const charging = child.hear("charging");
  const blocker = await store.connect();
  await blocker.transaction({ lock: lockOf(account.id), proof: null }, async () => {
    child.say("once");
    await charging;
    await sleep(100);
    await child.kill();
  });
  await blocker.close();
  const mine = charged(await store.meter.charge(request(api, { idempotency_key: "once" })));
  expect(mine.standing.credits_remaining).toBe(499_975);
});

test("takes the lease of a process that slept longer than it: no second refund, and its key runs again", async () => {
  const { key, api } = await openCustomer(store);
  const child = await compiled.start(writeLocation(store.place), key.secret);
  const begun = child.hear("charged");
  child.say("slow 300");
  await begun;
  child.signal("SIGSTOP");
  ahead_ms = 60_001;
  expect(await store.sweep()).toBe(1);
  const again = charged(await store.meter.charge(request(api, { idempotency_key: "slow" })));
  expect(again.standing.credits_remaining).toBe(499_975);
  const lost = child.hear("lost");
  child.signal("SIGCONT");
  await lost;
  expect((await store.meter.standing(api)).credits_remaining).toBe(499_975);
  await child.close();
});

test("fails a call whose store is unavailable when it settles, and its lease refunds it later", async () => {
  const { api } = await openCustomer(store);
  const { charge_id } = charged(await store.meter.charge(request(api)));
  const impatient = await store.connect(50);
  const ledger = openLedger({
    database: impatient,
    prices: openPrices(impatient, TOOLS),
    owner: () => "instance-0",
    lease_ms: 60_000,
    now: Date.now,
    newId: (kind) => kind,
  });
  const blocker = await store.connect();
  await blocker.transaction({ lock: `charge ${charge_id}`, proof: null }, async () => {
    await expect(ledger.settle(charge_id, "done", null)).rejects.toMatchObject({ code: "ACCOUNTS_BUSY" });
  });
  ahead_ms = 60_001;
  expect(await store.sweep()).toBe(1);
  expect((await store.meter.standing(api)).credits_remaining).toBe(500_000);
  await Promise.all([blocker.close(), impatient.close()]);
});

test("applies a revocation in another process in under a second", async () => {
  const { key } = await openCustomer(store);
  const child = await compiled.start(writeLocation(store.place), key.secret);
  const watching = child.hear("watching");
  child.say("watch");
  await watching;
  await sleep(400);
  const refused = child.hear("refused");
  const at = Date.now();
  await store.keys.revoke(key.id);
  expect(Number((await refused).at) - at).toBeLessThan(1_000);
  await child.close();
});

test("applies another process's price in under a second, and inside a charge at once", async () => {
  const { api } = await openCustomer(store);
  const { version } = await store.meter.catalog();
  const database = await store.connect();
  await database.run(
    `insert into prices (id, tool, credits, source, created_at) select max(id) + 1, 'resolve_ens', 9, 'operator', 0 from prices`,
  );
  const answer = await store.meter.charge(request(api, { tool: "resolve_ens", catalog_version: version }));
  expect(answer).toMatchObject({ kind: "price_changed", catalog: { credits: { resolve_ens: 9 } } });
  expect((await store.meter.catalog()).credits.resolve_ens).toBe(9);
  await database.close();
});
