import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { sized } from "../../../test/long.ts";
import { COIN, DOLLAR, openWorld, PEERS, SHARE, TOKEN, WALLET, type World } from "../../../test/moving_world.ts";
import type { Facts } from "../../store/facts.ts";
import type { SnapshotContext } from "../context.ts";
import { computeWallet } from "./compute.ts";
import { KeptBooks } from "./kept_books.ts";
import { copyLots, type Lots } from "./lots.ts";
import type { CostBasis } from "./position.ts";

const chain = fixedChain({
  network: { wrapped_native: COIN, stablecoins: [{ symbol: "USDC", address: DOLLAR, peg: "USD" }] },
  accounts: { [PEERS[0]]: { code: new Uint8Array([1]) } },
});

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Facts that keep nothing between calls. */
const forgetful = (facts: Facts): Facts => ({ ...facts, own: (kind) => new kind() });

interface Remembering {
  readonly facts: Facts;
  /** First blocks of the ledger that were asked for. */
  readonly asked_from: number[];
}

/** Facts that keep every book, however short, and that tell what is read. */
const remembering = (facts: Facts): Remembering => {
  const kept = new KeptBooks(1);
  const asked_from: number[] = [];
  return {
    asked_from,
    facts: {
      ...facts,
      // The one class whose object is given is KeptBooks.
      own: (kind) => (Object.is(kind, KeptBooks) ? (kept as InstanceType<typeof kind>) : facts.own(kind)),
      columns: (snapshot, query, params) => {
        if (query === "wallet_history/movements") asked_from.push(snapshot.from_block);
        return facts.columns(snapshot, query, params);
      },
    },
  };
};

/** Bigints as texts; of lots, those that are left. */
const plain = (name: string, value: unknown): unknown => {
  if (typeof value === "bigint") return value.toString();
  // Under this name a position has its lots, or none.
  return name === "lots" && value !== null ? copyLots(value as Lots).list : value;
};

const FROM = Date.UTC(2026, 0, 1, 3) / 1000;

const answer = async (facts: Facts, basis: CostBasis): Promise<unknown> => {
  const snapshot = await facts.snapshot("demo", null);
  const scope: SnapshotContext = { facts, chain, snapshot, signal: AbortSignal.timeout(60_000) };
  const window = { from: FROM, until: snapshot.block.time + 1 };
  const { book, rows, spam, warnings } = await computeWallet(scope, WALLET, { window, basis });
  const shown = {
    rows,
    totals: book.totals,
    parked: [...book.parked],
    owed: [...book.owed],
    spam: [...spam],
    warnings,
  };
  return JSON.parse(JSON.stringify(shown, plain));
};

/** Both ways to every answer. */
const agree = async (kept: Remembering): Promise<void> => {
  for (const basis of ["average", "fifo"] as const) {
    const expected = await answer(forgetful(world.store.facts), basis);
    expect(await answer(kept.facts, basis)).toEqual(expected);
  }
};

type Step = (seed: number) => Promise<void>;

/** Everything that may happen to a chain and to what is known about it. */
const STEPS: Readonly<Record<string, Step>> = {
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

describe("books that were kept", () => {
  test("give the answers of books from nothing, whatever happens between two calls", async () => {
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

  test("spare the blocks that are in them", async () => {
    await world.grow(12, 1);
    await world.finalize(10);
    await world.price();
    const kept = remembering(world.store.facts);
    await answer(kept.facts, "average");
    await world.grow(1, 2);
    await answer(kept.facts, "average");
    const [first, second, ...more] = kept.asked_from;
    expect(more).toEqual([]);
    expect(second).toBeGreaterThan(first ?? 0);
  }, 120_000);

  test("end with the history that they are of: what backfill adds is in the next answer", async () => {
    const kept = remembering(world.store.facts);
    await agree(kept);
    await world.backfill(7);
    await agree(kept);
  }, 120_000);
});
