import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "../../test/long.ts";
import type { Surface } from "./meter.ts";
import { DEFAULT_PLANS } from "./plans.ts";
import { NOON, openCustomer, request, SWEEP_EVERY_MS } from "./testing/store.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";

/** A plain model of the ledger's expected state. */
interface Model {
  plan: string;
  clock: number;
  granted: Map<string, number>;
  prices: Map<string, number | null>;
  charges: ModelCharge[];
}

interface ModelCharge {
  id: string;
  surface: Surface;
  period: string;
  credits: number;
  idempotency_key: string | null;
  state: "running" | "done" | "refunded";
  lease_until: number;
}

interface Real {
  store: TemporaryStore;
  customer: Awaited<ReturnType<typeof openCustomer>>;
}

type LedgerCommand = fc.AsyncCommand<Model, Real>;

const PLANS = {
  ...DEFAULT_PLANS,
  tiny: { monthly_credits: 60, keys_max: 1, calls_per_minute: 10 },
  small: { monthly_credits: 130, keys_max: 1, calls_per_minute: 10 },
};

const monthOf = (at: number): string => {
  const day = new Date(at);
  return `${day.getUTCFullYear()}-${String(day.getUTCMonth() + 1).padStart(2, "0")}`;
};

const quotaOf = (model: Model): number =>
  (model.plan === "tiny" ? 60 : 130) + (model.granted.get(monthOf(model.clock)) ?? 0);

const usedOf = (model: Model): number =>
  model.charges
    .filter((charge) => charge.period === monthOf(model.clock) && charge.state !== "refunded")
    .reduce((sum, charge) => sum + charge.credits, 0);

const checkAll = async (model: Model, { store, customer }: Real): Promise<void> => {
  // Two sweeps after its lease, an unswept charge is an orphan; no other violation is ever allowed.
  const swept_by = model.clock - 2 * SWEEP_EVERY_MS;
  const orphans = model.charges.filter((charge) => charge.state === "running" && charge.lease_until < swept_by);
  const violations = await store.ledger.verify();
  expect(violations.map((violation) => violation.invariant)).toEqual(orphans.length > 0 ? ["I6"] : []);
  const shown = await store.accounts.show(customer.account.id);
  expect(shown).toMatchObject({ credits_used: usedOf(model), credits_quota: quotaOf(model) });
  expect((await store.meter.standing(customer.api)).credits_remaining).toBe(
    Math.max(0, quotaOf(model) - usedOf(model)),
  );
};

const command = (name: string, step: (model: Model, real: Real) => Promise<void>): LedgerCommand => ({
  check: () => true,
  run: async (model, real) => {
    await step(model, real);
    await checkAll(model, real);
  },
  toString: () => name,
});

const expectedKind = (model: Model, wish: { tool: string; surface: Surface; key: string | null }): string => {
  const earlier = model.charges.some(
    (charge) =>
      wish.key !== null &&
      charge.idempotency_key === wish.key &&
      charge.surface === wish.surface &&
      charge.state !== "refunded",
  );
  if (earlier) return "duplicate";
  const price = model.prices.get(wish.tool) ?? null;
  if (price === null) return "price_unavailable";
  return usedOf(model) + price <= quotaOf(model) ? "charged" : "plan_limit";
};

const chargeCommand = fc
  .record({
    tool: fc.constantFrom("resolve_ens", "get_wallet_pnl", "analyze_transaction"),
    surface: fc.constantFrom<Surface>("api", "mcp"),
    key: fc.option(fc.constantFrom("a", "b", "c")),
  })
  .map((wish) =>
    command(`charge ${JSON.stringify(wish)}`, async (model, { store, customer }) => {
      const { tool, key: idempotency_key } = wish;
      const result = await store.meter.charge(request(customer[wish.surface], { tool, idempotency_key }));
      expect(result.kind).toBe(expectedKind(model, wish));
      if (result.kind !== "charged") return;
      expect(result.credits).toBe(model.prices.get(tool));
      model.charges.push({
        id: result.charge_id,
        surface: wish.surface,
        period: monthOf(model.clock),
        credits: result.credits,
        idempotency_key,
        state: "running",
        lease_until: model.clock + 60_000,
      });
    }),
  );

const settleCommand = fc
  .record({ pick: fc.nat(), outcome: fc.constantFrom<"done" | "refunded">("done", "refunded") })
  .map(({ pick, outcome }) =>
    command(`settle ${pick} ${outcome}`, async (model, { store }) => {
      const charge = model.charges[pick % Math.max(1, model.charges.length)];
      if (charge === undefined) return;
      const standing = await store.meter.settle(charge.id, outcome, null);
      const held = charge.state === "running" && charge.lease_until > model.clock;
      expect(standing !== null).toBe(held);
      if (held) charge.state = outcome;
    }),
  );

const retractCommand = fc.nat().map((pick) =>
  command(`retract ${pick}`, async (model, { store }) => {
    const charge = model.charges[pick % Math.max(1, model.charges.length)];
    if (charge === undefined) return;
    const standing = await store.meter.retract(charge.id, "late");
    expect(standing !== null).toBe(charge.state === "done");
    if (charge.state === "done") charge.state = "refunded";
  }),
);

const sweepCommand = fc.constant(
  command("sweep", async (model, { store }) => {
    const orphans = model.charges.filter((c) => c.state === "running" && c.lease_until <= model.clock);
    expect(await store.sweep()).toBe(orphans.length);
    for (const orphan of orphans) orphan.state = "refunded";
  }),
);

const grantCommand = fc.integer({ min: 1, max: 50 }).map((credits) =>
  command(`grant ${credits}`, async (model, { store, customer }) => {
    await store.accounts.grant(customer.account.id, credits);
    const month = monthOf(model.clock);
    model.granted.set(month, (model.granted.get(month) ?? 0) + credits);
  }),
);

const planCommand = fc.constantFrom("tiny", "small").map((plan) =>
  command(`plan ${plan}`, async (model, { store, customer }) => {
    await store.accounts.setPlan(customer.account.id, { plan });
    model.plan = plan;
  }),
);

const priceCommand = fc
  .record({
    tool: fc.constantFrom("resolve_ens", "get_wallet_pnl"),
    credits: fc.option(fc.integer({ min: 1, max: 40 })),
  })
  .map(({ tool, credits }) =>
    command(`price ${tool} ${credits}`, async (model, { store }) => {
      const stale = await store.meter.catalog();
      await store.prices.set(tool, credits);
      if (credits !== model.prices.get(tool)) expect((await store.meter.catalog()).version).not.toBe(stale.version);
      model.prices.set(tool, credits);
    }),
  );

/** Seconds, the length of a lease, and months, so that one run covers several. */
const waitCommand = fc.constantFrom(1_000, 59_999, 60_000, 12 * 86_400_000).map((wait_ms) =>
  command(`wait ${wait_ms}`, async (model, { store }) => {
    model.clock += wait_ms;
    store.clock.at = model.clock;
  }),
);

test("matches a plain list of charges after random operations in any order, and I1-I9 hold after each step", async () => {
  const commands = fc.commands(
    [
      chargeCommand,
      chargeCommand,
      chargeCommand,
      settleCommand,
      settleCommand,
      retractCommand,
      sweepCommand,
      grantCommand,
      planCommand,
      priceCommand,
      waitCommand,
    ],
    { size: "+1", maxCommands: 60 },
  );
  const runs = fc.asyncProperty(commands, async (list) => {
    const store = await openTemporary({ plans: PLANS });
    try {
      const customer = await openCustomer(store, "tiny");
      const prices = new Map<string, number | null>(Object.entries((await store.meter.catalog()).credits));
      const model: Model = { plan: "tiny", clock: NOON, granted: new Map(), prices, charges: [] };
      await fc.asyncModelRun(() => ({ model, real: { store, customer } }), list);
    } finally {
      await store.remove();
    }
  });
  await fc.assert(runs, { numRuns: sized({ slice: 15, long: 40 }), endOnFailure: true });
});
