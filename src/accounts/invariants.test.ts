import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "./database.ts";
import { charged, NOON, openCustomer, request, SWEEP_EVERY_MS } from "./testing/store.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";

let store: TemporaryStore;
let database: Database;
beforeEach(async () => {
  store = await openTemporary();
  database = await store.connect();
  const { api, mcp, account } = await openCustomer(store, "free");
  await store.accounts.grant(account.id, 10);
  const first = charged(await store.meter.charge(request(api, { idempotency_key: "a" })));
  const second = charged(await store.meter.charge(request(mcp)));
  charged(await store.meter.charge(request(api, { idempotency_key: "b" })));
  await store.meter.settle(first.charge_id, "done", null);
  await store.meter.settle(second.charge_id, "refunded", "TIMEOUT");
});
afterEach(async () => {
  await database.close();
  await store.remove();
});

const broken = async (): Promise<readonly string[]> =>
  (await store.ledger.verify()).map((violation) => violation.invariant);

test("finds no violation in a correct ledger", async () => {
  expect(await store.ledger.verify()).toEqual([]);
});

test.each([
  // Tampering in SQL, and the invariant that must detect it (others may as well).
  ["I1", "update pools set used = used + 1, used_api = used_api + 1"],
  ["I1", "update pools set granted = granted + 1"],
  ["I1", "delete from entries where kind = 'grant'"],
  ["I2", "update charges set credits = credits + 1 where state = 'done'"],
  ["I2", "update charges set state = 'refunded' where state = 'running'"],
  ["I3", "update entries set balance_after = balance_after + 1 where kind = 'refund'"],
  ["I3", "update entries set seq = 99 where kind = 'refund'"],
  ["I3", "update entries set amount = 10, balance_after = 10 where kind = 'adjustment'"],
  ["I4", "delete from entries where kind = 'refund'"],
  ["I4", "update entries set kind = 'charge', seq = 98 where kind = 'refund'"],
  ["I4", "update charges set state = 'done' where state = 'refunded'"],
  ["I5", "update charges set idempotency_key = 'a'"],
  ["I8", "update pools set used_api = used_api - 1, used_mcp = used_mcp + 1"],
  ["I8", "update charges set surface = 'mcp' where state = 'done'"],
  ["I9", "update entries set amount = -24 where kind = 'charge' and seq = 3"],
  ["I9", "update charges set tool = 'resolve_ens' where state = 'done'"],
  ["I9", "update prices set credits = 26 where tool = 'get_wallet_pnl'"],
])("%s notices: %s", async (invariant, tampering) => {
  await database.run("drop index entries_charge");
  await database.run("drop index charges_idempotency");
  await database.run(tampering);
  expect(await broken()).toContain(invariant);
});

test("reports a charge that was never swept for I6, and shows which", async () => {
  // Lease 60 s, then two rounds of the sweeper.
  store.clock.at = NOON + 60_000 + 2 * SWEEP_EVERY_MS;
  expect(await broken()).toEqual([]);
  store.clock.at += 1;
  const violations = await store.ledger.verify();
  expect(violations).toMatchObject([
    { invariant: "I6", rows: [{ owner: expect.stringMatching(/^instance-\d+$/), lease_until: NOON + 60_000 }] },
  ]);
  await store.sweep();
  expect(await broken()).toEqual([]);
});
