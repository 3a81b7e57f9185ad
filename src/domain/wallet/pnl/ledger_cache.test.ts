import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { sized } from "../../../../test/long.ts";
import {
  COIN,
  DOLLAR,
  type MutableWorld,
  openWorld,
  PEERS,
  SHARE,
  TOKEN,
  WALLET,
} from "../../../../test/moving_world.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { Facts } from "../../../store/facts.ts";
import { firstAtLeast } from "../../address/movements/movements.ts";
import { readMovements } from "../../address/movements/read_movements.ts";
import type { SnapshotContext } from "../../context.ts";
import { computeWallet } from "./compute.ts";
import { LedgerCache } from "./ledger_cache.ts";
import { type CostLots, copyLots } from "./lots.ts";
import { type CostBasis, quantityOf } from "./position.ts";

const chain = fixedChain({
  network: { wrapped_native: COIN, stablecoins: [{ symbol: "USDC", address: DOLLAR, peg: "USD" }] },
  accounts: { [PEERS[0]]: { code: new Uint8Array([1]) } },
});

let world: MutableWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Facts without a cache between calls. */
const forgetful = (facts: Facts): Facts => ({ ...facts, own: (kind) => new kind() });

interface CachingFacts {
  readonly facts: Facts;
  /** First blocks of the ledger queries. */
  readonly asked_from: number[];
}

/** Facts that cache every book, however short, and record the reads. */
const remembering = (facts: Facts): CachingFacts => {
  const kept = new LedgerCache(1);
  const asked_from: number[] = [];
  return {
    asked_from,
    facts: {
      ...facts,
      // KeptBooks is the only class replaced by a given object.
      own: (kind) => (Object.is(kind, LedgerCache) ? (kept as InstanceType<typeof kind>) : facts.own(kind)),
      columns: (snapshot, query, params) => {
        if (query === "movements/movements") asked_from.push(snapshot.from_block);
        return facts.columns(snapshot, query, params);
      },
    },
  };
};

/** Bigints as texts; of lots, those that are left. */
const plain = (name: string, value: unknown): unknown => {
  if (typeof value === "bigint") return value.toString();
  // Under this name a position has its lots, or none.
  return name === "lots" && value !== null && !Array.isArray(value) ? copyLots(value as CostLots).runs : value;
};

const FROM = Date.UTC(2026, 0, 1, 3) / 1000;

const scopeOf = async (facts: Facts): Promise<SnapshotContext> => {
  const snapshot = await facts.snapshot("demo", null);
  return { facts, chain, snapshot, signal: AbortSignal.timeout(60_000) };
};

const answer = async (facts: Facts, basis: CostBasis): Promise<unknown> => {
  const scope = await scopeOf(facts);
  const window = { from: FROM, until: scope.snapshot.block.time + 1 };
  const { book, rows, readSpam, warnings } = await computeWallet(scope, WALLET, { window, basis });
  const shown = {
    rows,
    totals: book.totals,
    parked: [...book.parked],
    owed: [...book.owed],
    spam: [...(await readSpam())],
    warnings,
  };
  return JSON.parse(JSON.stringify(shown, plain));
};

/** Compares both computations of every answer. */
const agree = async (kept: CachingFacts): Promise<void> => {
  for (const basis of ["average", "fifo", "hifo"] as const) {
    const expected = await answer(forgetful(world.store.facts), basis);
    expect(await answer(kept.facts, basis)).toEqual(expected);
  }
};

type LedgerTestStep = (seed: number) => Promise<void>;

/** Changes of a chain and of the facts about it. */
const STEPS: Readonly<Record<string, LedgerTestStep>> = {
  grow: (seed) => world.grow(5, seed),
  finalize: () => world.finalize(6),
  reorganise: (seed) => world.reorganise(3, seed),
  price: () => world.price(),
  "price anew": (seed) => world.priceAnew(seed),
  label: (seed) => world.label(PEERS[seed % PEERS.length] ?? PEERS[0], seed % 2 === 0 ? "bridge" : "exchange"),
  rescale: (seed) => world.describe(TOKEN, 6 + (seed % 3)),
  "find a pool": () => world.sharePool(SHARE),
};

const steps = fc.array(fc.record({ what: fc.constantFrom(...Object.keys(STEPS)), seed: fc.nat({ max: 1_000_000 }) }), {
  minLength: 5,
  maxLength: 8,
});

describe("cached books", () => {
  test("give the same answers as uncached books after any change between two calls", async () => {
    const kept = remembering(world.store.facts);
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        for (const { what, seed } of list) {
          await STEPS[what]?.(seed);
          await agree(kept);
        }
      }),
      { numRuns: sized({ slice: 1, long: 3 }), endOnFailure: true },
    );
  }, 600_000);

  test("avoid reading the blocks that they contain", async () => {
    await world.grow(12, 1);
    await world.finalize(10);
    await world.price();
    const kept = remembering(world.store.facts);
    await answer(kept.facts, "average");
    await world.grow(1, 2);
    await answer(kept.facts, "average");
    // Parts of a call query the same rows, which are cached per block (docs/design/queries.md).
    const [first, second, ...more] = new Set(kept.asked_from);
    expect(more).toEqual([]);
    expect(second).toBeGreaterThan(first ?? 0);
  }, 120_000);

  test("expire with their history: the next answer contains backfilled blocks", async () => {
    const kept = remembering(world.store.facts);
    await agree(kept);
    await world.backfill(7);
    await agree(kept);
  }, 120_000);
});

describe("books of a wallet with too many movements", () => {
  const computed = async (facts: Facts, until: number | null, rows_max: number) => {
    const scope = await scopeOf(facts);
    const window = { from: 0, until: until ?? scope.snapshot.block.time + 1 };
    return computeWallet(scope, WALLET, { window, basis: "average", rows_max });
  };

  test("begin with the earlier holdings and end with the current ones; at the limit they are complete", async () => {
    const facts = forgetful(world.store.facts);
    const scope = await scopeOf(facts);
    const { movements } = await readMovements(scope, WALLET, { since: 0, until: scope.snapshot.block.time + 1 });
    expect(movements.length).toBeGreaterThan(20);
    // The world's wallet spends more than it has of some tokens; books then hold the later receipts, wherever they
    // begin.
    const [sums, overdrawn] = [new Map<Hex, bigint>(), new Set<Hex>()];
    for (let row = 0; row < movements.length; row += 1) {
      const bucket = movements.tokenAt(row) === COIN ? "" : movements.tokenAt(row);
      const amount = movements.amountAt(row);
      const sum = (sums.get(bucket) ?? 0n) + (movements.direction[row] === 1 ? amount : -amount);
      sums.set(bucket, sum);
      if (sum < 0n) overdrawn.add(bucket);
    }
    expect(overdrawn.size).toBeLessThan(sums.size);
    const cuts = fc.record({ rows_max: fc.integer({ min: 6, max: movements.length }), until: fc.nat({ max: 3 }) });
    await fc.assert(
      fc.asyncProperty(cuts, async ({ rows_max, until }) => {
        // Now, or the time of a row in the last quarter.
        const at = movements.time[movements.length - 1 - Math.floor((until * movements.length) / 12)] ?? 0;
        const end = until === 0 ? null : at + 1;
        const [cut, whole] = [await computed(facts, end, rows_max), await computed(facts, end, movements.length)];
        const heldIn = ({ book }: typeof cut) =>
          [...book.entries.values()]
            .map(({ bucket, position }) => [bucket, quantityOf(position)] as const)
            .filter(([bucket, quantity]) => quantity !== 0n && !overdrawn.has(bucket))
            .sort();
        expect(heldIn(cut)).toEqual(heldIn(whole));
        const rows = end === null ? movements.length : firstAtLeast(movements.time, end);
        const codes = cut.warnings.map(({ code }) => code);
        expect(codes.includes("LARGE_WALLET")).toBe(rows > rows_max);
        if (rows <= rows_max) expect(cut.rows).toEqual(whole.rows);
      }),
      { numRuns: sized({ slice: 3, long: 60 }), endOnFailure: true },
    );
  }, 300_000);

  test("are not cached, and do not continue cached books", async () => {
    const { facts } = remembering(world.store.facts);
    await computed(facts, null, 1_000_000);
    const [cut, cold] = [await computed(facts, null, 10), await computed(forgetful(world.store.facts), null, 10)];
    expect(cut.rows).toEqual(cold.rows);
    const whole = await computed(facts, null, 1_000_000);
    expect(whole.warnings.map(({ code }) => code)).not.toContain("LARGE_WALLET");
  }, 120_000);
});
