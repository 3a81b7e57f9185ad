import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Caller } from "./meter.ts";
import { callerOf, charged, NOON, openCustomer, request } from "./testing/store.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";
import { USAGE_FIELDS, type UsageField } from "./usage.ts";

const DAY_MS = 86_400_000;
const [FROM, TO] = ["2026-11-01", "2026-12-31"];

let now = NOON;
let store: TemporaryStore;
beforeEach(async () => {
  now = NOON;
  store = await openTemporary({ now: () => now });
});
afterEach(() => store.remove());

/** The calls of a test, recorded by hand. */
interface RecordedCall {
  readonly day: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly surface: string;
  readonly tool: string;
  readonly outcome: "done" | "refunded" | "running";
  /** '' for calls that were not refunded. */
  readonly reason: string;
  readonly price: number;
}

const PRICES: Readonly<Record<string, number>> = { resolve_ens: 1, get_token_info: 3, get_wallet_pnl: 25 };

const call = async (caller: Caller, tool: string, outcome: RecordedCall["outcome"]): Promise<RecordedCall> => {
  const { charge_id } = charged(await store.meter.charge(request(caller, { tool })));
  if (outcome !== "running") await store.meter.settle(charge_id, outcome, outcome === "done" ? null : "TIMEOUT");
  const { account_id, key_id, surface } = caller;
  const day = new Date(now).toISOString().slice(0, 10);
  const reason = outcome === "refunded" ? "TIMEOUT" : "";
  return { day, account_id, key_id, surface, tool, outcome, reason, price: PRICES[tool] ?? 0 };
};

/** Two accounts, three keys, two months. */
const live = async () => {
  const [one, two] = [await openCustomer(store), await openCustomer(store)];
  const second = await store.keys.create({ account_id: one.account.id, scopes: ["api:call"] });
  const other = await callerOf(store.meter, second.secret);
  const calls: RecordedCall[] = [];
  for (const days of [0, 0, 1, 11]) {
    now = NOON + days * DAY_MS;
    calls.push(await call(one.api, "get_wallet_pnl", "done"));
    calls.push(await call(one.mcp, "get_wallet_pnl", "refunded"));
    calls.push(await call(other, "resolve_ens", "done"));
    calls.push(await call(two.api, "get_token_info", days === 11 ? "running" : "done"));
  }
  return { one, two, calls };
};

/** The sums of calls, computed independently of the store. */
const summed = (calls: readonly RecordedCall[], by: readonly UsageField[]) => {
  const sums = new Map<string, Record<string, string | number>>();
  for (const one of calls) {
    const said = Object.fromEntries(by.map((field) => [field, one[field]]));
    const row = sums.get(JSON.stringify(said)) ?? { ...said, calls: 0, credits: 0, credits_refunded: 0 };
    const to = one.outcome === "refunded" ? "credits_refunded" : "credits";
    sums.set(JSON.stringify(said), { ...row, calls: Number(row.calls) + 1, [to]: Number(row[to]) + one.price });
  }
  return [...sums.values()];
};

const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();

describe("usage", () => {
  test("is the sum of the calls, by every set of fields, for one account and for all", async () => {
    const { one, calls } = await live();
    const sets = Array.from({ length: 2 ** USAGE_FIELDS.length }, (_, bits) =>
      USAGE_FIELDS.filter((_field, place) => (bits >> place) & 1),
    );
    for (const by of sets) {
      const all = await store.usage.rows({ account_id: null, from: FROM, to: TO, by });
      expect([by, sorted(all)]).toEqual([by, sorted(summed(calls, by))]);
      const own = calls.filter(({ account_id }) => account_id === one.account.id);
      const rows = await store.usage.rows({ account_id: one.account.id, from: FROM, to: TO, by });
      expect([by, sorted(rows)]).toEqual([by, sorted(summed(own, by))]);
    }
  });

  test("includes its first and its last day, and no other", async () => {
    const { one } = await live();
    const days = async (from: string, to: string) =>
      (await store.usage.rows({ account_id: one.account.id, from, to, by: ["day"] })).map(({ day }) => day);
    expect(await days("2026-11-20", "2026-11-20")).toEqual(["2026-11-20"]);
    expect(await days("2026-11-21", "2026-12-01")).toEqual(["2026-11-21", "2026-12-01"]);
    expect(await days("2026-11-22", "2026-11-30")).toEqual([]);
  });

  test("rejects an invalid day, more than a year and an unknown account, with a message", async () => {
    const asked = (changes: object) =>
      store.usage.rows({ account_id: null, from: FROM, to: TO, by: ["day"], ...changes });
    for (const from of ["2026-02-30", "2026-13-01", "yesterday", "2026-1-1", ""])
      await expect(asked({ from })).rejects.toMatchObject({ code: "BAD_PERIOD" });
    await expect(asked({ from: "2026-12-31", to: "2026-12-30" })).rejects.toMatchObject({ code: "BAD_PERIOD" });
    await expect(asked({ from: "2025-12-30" })).rejects.toMatchObject({ code: "BAD_PERIOD" });
    expect(await asked({ from: "2025-12-31" })).toEqual([]);
    await expect(asked({ account_id: "account_none" })).rejects.toMatchObject({ code: "UNKNOWN_ACCOUNT" });
  });
});

describe("a month", () => {
  test("has a line for each tool and price, and adds up to the pool of the ledger", async () => {
    const { one } = await live();
    now = NOON + DAY_MS;
    await store.prices.set("resolve_ens", 2);
    await store.accounts.grant(one.account.id, 1_000);
    const { charge_id } = charged(await store.meter.charge(request(one.api, { tool: "resolve_ens" })));
    await store.meter.settle(charge_id, "done", null);
    // November: three rounds of pnl done (75), pnl refunded (75) and resolve_ens at 1 (3), then one at 2.
    const report = await store.usage.month(one.account.id, "2026-11");
    expect(report).toMatchObject({
      ...{ account_id: one.account.id, name: "Acme", plan: "business", month: "2026-11", is_final: false },
      ...{ allowance: 500_000, granted: 1_000, credits_used: 80, credits_refunded: 75, credits_remaining: 500_920 },
      lines: [
        { tool: "get_wallet_pnl", price: 25, calls: 6, calls_paid: 3, credits: 75, credits_refunded: 75 },
        { tool: "resolve_ens", price: 1, calls: 3, calls_paid: 3, credits: 3, credits_refunded: 0 },
        { tool: "resolve_ens", price: 2, calls: 1, calls_paid: 1, credits: 2, credits_refunded: 0 },
      ],
    });
    const shown = await store.accounts.show(one.account.id);
    expect([shown.credits_used, shown.credits_remaining]).toEqual([80, 500_920]);
    expect(report.lines.reduce((sum, { credits }) => sum + credits, 0)).toBe(report.credits_used);
  });

  test("is final when it is over and no call of it is running", async () => {
    const { one, two } = await live();
    now = Date.UTC(2026, 11, 1) - 1;
    expect((await store.usage.month(one.account.id, "2026-11")).is_final).toBe(false);
    now = Date.UTC(2027, 0, 1);
    expect((await store.usage.month(one.account.id, "2026-12")).is_final).toBe(true);
    expect((await store.usage.month(two.account.id, "2026-12")).is_final).toBe(false);
  });

  test("without calls has no lines, and an invalid one is rejected", async () => {
    const { account } = await openCustomer(store);
    expect(await store.usage.month(account.id, "2026-10")).toMatchObject({ allowance: 0, credits_used: 0, lines: [] });
    for (const month of ["2026-13", "2026-1", "November", "2026-11-01"])
      await expect(store.usage.month(account.id, month)).rejects.toMatchObject({ code: "BAD_PERIOD" });
    await expect(store.usage.month("account_none", "2026-11")).rejects.toMatchObject({ code: "UNKNOWN_ACCOUNT" });
  });
});
