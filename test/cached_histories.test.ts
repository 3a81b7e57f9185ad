import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callTool } from "../bench/calls.ts";
import { MovementCache } from "../src/domain/address/movements/movement_cache.ts";
import { SILENT_OPERATOR } from "../src/domain/operator.ts";
import { TransactionFactsCache } from "../src/domain/wallet/history/acts/transaction_facts_cache.ts";
import type { Facts } from "../src/store/facts.ts";
import { type FactsStore, openFacts } from "../src/store/open.ts";
import { contexts } from "../src/wiring/contexts.ts";
import { fixedChain } from "./fixed_chain.ts";
import { sized } from "./long.ts";
import { COIN, DOLLAR, type MutableWorld, openWorld, PEERS, TOKEN, WALLET } from "./moving_world.ts";

const chain = fixedChain({
  network: { wrapped_native: COIN, stablecoins: [{ symbol: "USDC", address: DOLLAR, peg: "USD" }] },
  accounts: { [PEERS[0]]: { code: new Uint8Array([1]) } },
});

let world: MutableWorld;
/** Runs beside the writer, and caches its earlier reads. */
let warm: FactsStore;
beforeAll(async () => {
  world = await openWorld();
  warm = await openFacts({ engine: "embedded", data_dir: world.store.data_dir });
}, 120_000);
afterAll(async () => {
  await warm.close();
  await world.close();
});

const ADDRESS = chain.formatAddress(WALLET);
const DATES = { network: "demo", from_date: "2025-12-31", to_date: "2026-01-20" };
const NOW_MS = Date.UTC(2026, 0, 20);
/** A slice has one tool that reads days, one that reads rows, and one that reads books. */
const CALLS = [
  ["get_wallet_stats", { address: ADDRESS, network: "demo" }],
  ["get_wallet_transactions", { ...DATES, address: ADDRESS }],
  ["get_wallet_pnl", { ...DATES, address: ADDRESS }],
  ...sized({
    slice: [],
    long: [
      ["get_wallet_counterparties", { ...DATES, address: ADDRESS }],
      ["get_wallet_counterparties_analysis", { ...DATES, address: ADDRESS }],
      ["get_wallet_transaction_patterns", { ...DATES, address: ADDRESS }],
    ] as const,
  }),
] as const;

/** Every answer as sent. */
const answersOf = async (served: Facts): Promise<readonly string[]> => {
  const contextFor = contexts({ facts: { served }, chains: [chain], operator: SILENT_OPERATOR });
  const place = { chains: [chain], contextFor, now_ms: NOW_MS };
  const texts: string[] = [];
  for (const [name, args] of CALLS) {
    const { kind, ...outcome } = await callTool(place, name, args);
    expect([name, kind]).toEqual([name, "data"]);
    texts.push(`${name} ${JSON.stringify(outcome)}`);
  }
  return texts;
};

/** Like a process that was started for this one call, with empty caches and books. */
const cold = (facts: Facts): Facts => ({
  ...facts,
  own: (kind) => new kind(),
  withSignal: (signal) => cold(facts.withSignal(signal)),
});

/** Changes of a chain and of the facts about it. */
const STEPS: Readonly<Record<string, (seed: number) => Promise<void>>> = {
  grow: (seed) => world.grow(5, seed),
  finalize: () => world.finalize(6),
  reorganise: (seed) => world.reorganise(3, seed),
  "a late price": () => world.price(),
  "other prices": (seed) => world.priceAnew(seed),
  "an import": (seed) => world.label(PEERS[seed % PEERS.length] ?? PEERS[0], seed % 2 === 0 ? "bridge" : "exchange"),
  "other decimals": (seed) => world.describe(TOKEN, 6 + (seed % 3)),
  backfill: () => world.backfill(2),
};
/** Each of them in every run, in random order. */
const steps = fc.tuple(fc.shuffledSubarray(Object.keys(STEPS), { minLength: 8 }), fc.nat({ max: 1_000_000 }));

test("answers byte for byte like a fresh process when it has cached wallets", async () => {
  const { hits } = warm.served.own(MovementCache);
  await fc.assert(
    fc.asyncProperty(steps, async ([list, seed]) => {
      for (const [nth, what] of list.entries()) {
        await STEPS[what]?.(seed + nth);
        expect({ what, answers: await answersOf(warm.served) }).toEqual({
          what,
          answers: await answersOf(cold(world.store.facts)),
        });
      }
    }),
    { numRuns: sized({ slice: 1, long: 4 }), endOnFailure: true },
  );
  // The cache was used: of five tools that need the movements (in a slice two), at least four (one) found them at each step.
  const fewest = sized({ slice: 1, long: 4 }) * Object.keys(STEPS).length;
  expect(warm.served.own(MovementCache).hits - hits).toBeGreaterThan(fewest);
  expect(warm.served.own(MovementCache).misses).toBeGreaterThan(0);
  expect(warm.served.own(TransactionFactsCache).bytes).toBeGreaterThan(0);
}, 600_000);
