import fc from "fast-check";
import { expect, test } from "vitest";
import { hex } from "../../../lib/bytes.ts";
import type { Disposal, PnlLedger, PnlSources } from "./ledger.ts";
import type { BucketDelta } from "./legs.ts";
import { computePnl, type WalletTransaction } from "./pnl.ts";
import { COST_BASES, type CostBasis } from "./position.ts";
import { PRICE_RANK } from "./trade.ts";

const BUCKETS = ["", "aa", "bb", "cc"].map(hex);
const PEERS = ["", "01", "02", "03"].map(hex);

const moves: fc.Arbitrary<BucketDelta> = fc.record({
  bucket: fc.constantFrom(...BUCKETS),
  peer: fc.constantFrom(...PEERS),
  // Single units as well, where rounding shows.
  delta: fc.oneof(fc.bigInt({ min: -3n, max: 3n }), fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })),
});

const histories: fc.Arbitrary<WalletTransaction[]> = fc
  .array(
    fc.record({
      moves: fc.array(moves, { maxLength: 5 }),
      fee: fc.bigInt({ min: 0n, max: 10n ** 17n }),
      rent: fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }),
      is_claim: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((list) =>
    list.map((item, time) => ({ ...item, time, events: [], balances: [], valued_by: null, pool_worth: new Map() })),
  );

const STILL = { time: 100, balances: [] };
const PLAIN = { is_share: () => false, is_debt: () => false } as const;

/** `bb` has no price at even times, so that unpriced trades and receipts occur. */
const compute = (
  history: readonly WalletTransaction[],
  basis: CostBasis = "average",
  onDisposal?: PnlSources["onDisposal"],
): PnlLedger =>
  computePnl(
    {
      ...PLAIN,
      ...{ basis, onDisposal },
      from: 0,
      decimals: () => 18,
      quote: (bucket, time) => {
        if (bucket === "bb" && time % 2 === 0) return null;
        return { usd: bucket === "cc" ? 1 : 3 + (time % 7), rank: bucket === "cc" ? PRICE_RANK.stablecoin : 2 };
      },
      peer: (address) => (address === "01" ? "contract" : "other"),
    },
    { openings: [], transactions: history, closing: STILL },
  );

test.each(COST_BASES)("quantities are never negative and an empty quantity has no cost, %s", (basis) => {
  fc.assert(
    fc.property(histories, (history) => {
      const book = compute(history, basis);
      for (const position of [...[...book.entries.values()].map((entry) => entry.position), ...book.parked.values()]) {
        expect(position.costed >= 0n && position.uncosted >= 0n).toBe(true);
        expect(position.cost_usd).toBeGreaterThanOrEqual(-1e-9);
        if (position.costed === 0n) expect(position.cost_usd).toBe(0);
      }
    }),
    { numRuns: 300 },
  );
});

test.each(COST_BASES)("every acquired unit is held, parked or removed, %s", (basis) => {
  // Only exact histories: everything that leaves was there before (an opening of plenty), so nothing is capped.
  const plenty = 10n ** 24n;
  fc.assert(
    fc.property(histories, (history) => {
      const book = computePnl(
        { ...PLAIN, basis, from: 0, decimals: () => 18, quote: () => null, peer: () => "other" },
        {
          openings: BUCKETS.map((bucket) => ({ bucket, amount: plenty, time: 0 })),
          transactions: history,
          closing: STILL,
        },
      );
      for (const bucket of BUCKETS) {
        const net = history.flatMap(({ moves }) => moves).filter((move) => move.bucket === bucket);
        const kept = bucket === "" ? history.reduce((total, { fee, rent }) => total + rent - fee, plenty) : plenty;
        const expected = net.reduce((total, { delta }) => total + delta, kept);
        const position = book.entries.get(bucket)?.position;
        expect((position?.costed ?? 0n) + (position?.uncosted ?? 0n)).toBe(expected);
      }
    }),
    { numRuns: 200 },
  );
});

test.each(COST_BASES)("acquired cost equals removed cost plus remaining cost, %s", (basis) => {
  // Trades against a stablecoin only, so that every cost in is a purchase or a receipt and every cost out a sale.
  const trades = fc.array(
    fc.record({
      token: fc.bigInt({ min: 1n, max: 10n ** 20n }),
      dollars: fc.bigInt({ min: 1n, max: 10n ** 20n }),
      buys: fc.boolean(),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(trades, (list) => {
      const history = list.map(({ token, dollars, buys }, time) => ({
        time,
        fee: 0n,
        rent: 0n,
        is_claim: false,
        events: [],
        valued_by: null,
        balances: [],
        pool_worth: new Map(),
        moves: [
          { bucket: hex("aa"), peer: hex("02"), delta: buys ? token : -token },
          { bucket: hex("cc"), peer: hex("02"), delta: buys ? -dollars : dollars },
        ],
      }));
      const entry = compute(history, basis).entries.get(hex("aa"));
      if (entry === undefined) return;
      const { trading, position } = entry;
      expect(trading.cost_out_usd + position.cost_usd).toBeCloseTo(trading.bought_usd, 9);
      // The realised profit is the costed proceeds less their cost.
      const costed = trading.sold_usd - trading.proceeds_without_cost_usd;
      expect(trading.realized_usd).toBeCloseTo(costed - trading.cost_out_usd, 6);
    }),
    { numRuns: 300 },
  );
});

test.each(COST_BASES)("the order of the movements inside a transaction makes no difference, %s", (basis) => {
  const shape = (book: PnlLedger) =>
    [...book.entries.values()]
      .map(({ bucket, position, trading }) => ({ bucket, position, trading }))
      .sort((a, b) => (a.bucket < b.bucket ? -1 : 1));
  fc.assert(
    fc.property(histories, (history) => {
      const reversed = history.map((item) => ({ ...item, moves: [...item.moves].reverse() }));
      expect(shape(compute(reversed, basis))).toEqual(shape(compute(history, basis)));
    }),
    { numRuns: 200 },
  );
});

test.each(COST_BASES)("the parts of all sales add up to what the books realized, %s", (basis) => {
  fc.assert(
    fc.property(histories, (history) => {
      const parts: Disposal[] = [];
      const book = compute(history, basis, (part) => parts.push(part));
      for (const { bucket, trading } of book.entries.values()) {
        const own = parts.filter((part) => part.bucket === bucket);
        const sumOf = (of: (part: Disposal) => number): number => own.reduce((sum, part) => sum + of(part), 0);
        const near = (found: number, expected: number): void => {
          expect(Math.abs(found - expected)).toBeLessThanOrEqual(
            1e-9 * Math.max(1, trading.sold_usd, trading.cost_out_usd),
          );
        };
        near(
          sumOf(({ proceeds_usd }) => proceeds_usd),
          trading.sold_usd,
        );
        near(
          sumOf(({ cost_usd }) => cost_usd ?? 0),
          trading.cost_out_usd,
        );
        near(
          sumOf(({ proceeds_usd, cost_usd }) => (cost_usd === null ? 0 : proceeds_usd - cost_usd)),
          trading.realized_usd,
        );
        const amount = own.reduce((sum, part) => sum + part.amount, 0n);
        expect(amount).toBe(trading.sold_priced);
      }
    }),
    { numRuns: 300 },
  );
});
