import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../../../test/facts_store.ts";
import { fixedChain } from "../../../../../test/fixed_chain.ts";
import { addressOf, bytesOf, priceRow, tokenRow, transfersOf } from "../../../../../test/value_rows.ts";
import { type Hex, hex } from "../../../../lib/bytes.ts";
import type { Facts } from "../../../../store/facts.ts";
import type { TableRows } from "../../../../store/tables.gen.ts";
import { SILENT_OPERATOR } from "../../../operator.ts";
import { readHistory } from "../../../wallet/history/history.ts";
import { categoriesOf, networkTrails } from "../findings.ts";
import { traceWallet } from "../wallet_trace.ts";
import { bridgesBetween } from "./follow.ts";

// Two networks, `alpha` and `beta`, and bridges between them. Ether costs 2,500 dollars on both; blocks are ten minutes
// apart. `gamma` is enabled and not indexed.

const HEAD = 160;
const START = Date.UTC(2026, 0, 1) / 1000;
const timeOf = (block: number): number => START + (block - 100) * 600;
const [USDC, WETH] = [addressOf(0x50), addressOf(0x51)];
const [THIEF, MIXER, EXCHANGE, SPAN, OWN_BRIDGE] = [1, 2, 3, 4, 5].map((n) => addressOf(0x100 + n)) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
]; // five numbers are five addresses
const who = (story: number, nth: number): Hex => addressOf(0x1_000 + story * 0x20 + nth);

let spot = 0;
/** Ether that moves in a transaction of its own. */
const pay = (
  network: string,
  block: number,
  [source, destination, coins]: readonly [Hex, Hex, number],
): TableRows["transfers"][] => {
  spot += 1;
  const amount = BigInt(Math.round(coins * 1e6)) * 10n ** 12n;
  return transfersOf({ block, tx_index: spot }, source, [
    { kind: "native", token: hex(""), source, destination, amount },
  ]).map((row) => ({ ...row, network, time: timeOf(block) }));
};

/** 100 ether leave alpha at block 102 and arrive on beta at 103; the rest of the story follows. */
const stolen = (story: number, more: readonly (readonly [string, number, readonly [Hex, Hex, number]])[]) =>
  [["alpha", 101, [THIEF, who(story, 0), 100]] as const, ...more].flatMap(([network, block, moved]) =>
    pay(network, block, moved),
  );

const leave = (story: number, block = 102, coins = 100) => ["alpha", block, [who(story, 0), SPAN, coins]] as const;
const arrive = (story: number, block = 103, coins = 99) => ["beta", block, [SPAN, who(story, 0), coins]] as const;
/** 40 % of 99. */
const onwards = (story: number) => ["beta", 110, [who(story, 0), who(story, 1), 39.6]] as const;

const [WHOLE, MIXED, TWO, FEE, EARLY, RIVALS, SLOW, WITHDRAWN, THERE_AND_BACK, PAID, MANY, PLAIN, LATE] = Array.from(
  { length: 13 },
  (_, i) => i,
) as [number, number, number, number, number, number, number, number, number, number, number, number, number]; // thirteen

const transfers = [
  ...stolen(WHOLE, [leave(WHOLE), arrive(WHOLE), onwards(WHOLE)]),
  // Before it leaves, 100 stolen ether mix with 100 clean ones.
  ...stolen(MIXED, [["alpha", 101, [EXCHANGE, who(MIXED, 0), 100]], leave(MIXED), arrive(MIXED), onwards(MIXED)]),
  ...stolen(TWO, [
    ["alpha", 101, [THIEF, who(TWO, 0), 100]],
    leave(TWO),
    leave(TWO, 102, 99.5),
    arrive(TWO),
    onwards(TWO),
  ]),
  // 4 % less.
  ...stolen(FEE, [leave(FEE), arrive(FEE, 103, 96), onwards(FEE)]),
  ...stolen(EARLY, [leave(EARLY, 104), arrive(EARLY), onwards(EARLY)]),
  // Two arrivals of one departure.
  ...stolen(RIVALS, [
    leave(RIVALS),
    arrive(RIVALS),
    arrive(RIVALS, 104, 98),
    ["beta", 110, [who(RIVALS, 0), who(RIVALS, 1), 197]],
  ]),
  // 70 minutes.
  ...stolen(SLOW, [leave(SLOW), arrive(SLOW, 109), onwards(SLOW)]),
  // Three hours, over the own bridge of alpha.
  ...stolen(WITHDRAWN, [
    ["alpha", 102, [who(WITHDRAWN, 0), OWN_BRIDGE, 100]],
    ["beta", 120, [OWN_BRIDGE, who(WITHDRAWN, 0), 100]],
    ["beta", 121, [who(WITHDRAWN, 0), who(WITHDRAWN, 1), 100]],
  ]),
  // Stolen on beta, to alpha, there to another address, and back.
  ...(
    [
      ["beta", 101, [THIEF, who(THERE_AND_BACK, 0), 50]],
      ["beta", 102, [who(THERE_AND_BACK, 0), SPAN, 50]],
      ["alpha", 103, [SPAN, who(THERE_AND_BACK, 0), 50]],
      ["alpha", 104, [who(THERE_AND_BACK, 0), who(THERE_AND_BACK, 1), 50]],
      ["alpha", 105, [who(THERE_AND_BACK, 1), SPAN, 50]],
      ["beta", 106, [SPAN, who(THERE_AND_BACK, 1), 50]],
      ["beta", 107, [who(THERE_AND_BACK, 1), who(THERE_AND_BACK, 2), 50]],
    ] as const
  ).flatMap(([network, block, moved]) => pay(network, block, moved)),
  // 98 of the wallet's 99 arrive, half of them reach the mixer; the wallet's other ether on alpha comes first.
  ...(
    [
      ["beta", 101, [EXCHANGE, who(PAID, 0), 99]],
      ["beta", 102, [who(PAID, 0), SPAN, 99]],
      ["alpha", 103, [SPAN, who(PAID, 0), 98]],
      ["alpha", 104, [who(PAID, 0), MIXER, 49]],
    ] as const
  ).flatMap(([network, block, moved]) => pay(network, block, moved)),
  // Nine crossings of 20, 19 .. 12 ether.
  ...Array.from({ length: 9 }, (_, i) => 20 - i).flatMap((coins, i) => [
    ...pay("alpha", 101, [THIEF, who(MANY, i), coins]),
    ...pay("alpha", 102, [who(MANY, i), SPAN, coins]),
    ...pay("beta", 103, [SPAN, who(MANY, i), coins]),
    ...pay("beta", 104, [who(MANY, i), who(MANY, 20), coins]),
  ]),
  ...pay("beta", 101, [THIEF, who(PLAIN, 0), 10]),
  ...pay("beta", 102, [who(PLAIN, 0), who(PLAIN, 1), 10]),
  // The thief pays after the departure.
  ...pay("alpha", 101, [EXCHANGE, who(LATE, 0), 100]),
  ...pay("alpha", 102, [who(LATE, 0), SPAN, 100]),
  ...pay("beta", 103, [SPAN, who(LATE, 0), 99]),
  ...pay("alpha", 104, [THIEF, who(LATE, 0), 100]),
];

const label = (network: string, address: Hex, category: string, entity = ""): TableRows["labels"] => ({
  ...{ network, address: bytesOf(address), source: "operator", label: `A ${category}`, category, entity },
  ...{ confidence: 0.95, evidence: "", written_at: 1, valid_from: 0, licence: "", published_on: "" },
});

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  for (const network of ["alpha", "beta"])
    await store.seed(
      { network, from: 0, to: HEAD, time: timeOf(0), block_s: 600 },
      {
        transfers: transfers.filter((row) => row.network === network),
        tokens: [tokenRow(WETH, "WETH", 18), tokenRow(USDC, "USDC", 6)].map((row) => ({ ...row, network })),
        prices: Array.from({ length: 12 }, (_, i) => START + i * 3_600)
          .flatMap((hour) => [priceRow(WETH, hour, 2_500), priceRow(USDC, hour, 1)])
          .map((row) => ({ ...row, network })),
        labels: [
          ...[label(network, THIEF, "theft"), label(network, MIXER, "mixer"), label(network, EXCHANGE, "exchange")],
          ...[label(network, SPAN, "bridge", "Span"), label(network, OWN_BRIDGE, "bridge", "Alpha")],
        ],
      },
    );
});
afterAll(() => store.close());

const chains = new Map(
  ["alpha", "beta", "gamma"].map((id, i) => [
    id,
    fixedChain({
      network: {
        ...{ id, name: id, chain_id: i + 1, wrapped_native: WETH },
        stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }],
      },
    }),
  ]),
);
const chainOf = (id: string) => chains.get(id) ?? fixedChain();

interface BridgeFixture {
  readonly on?: string;
  readonly networks?: readonly string[];
  readonly facts?: Facts;
}

const traced = async (
  wallet: Hex,
  { on = "beta", networks = ["alpha", "beta"], facts = store.facts }: BridgeFixture = {},
) => {
  const snapshot = await facts.snapshot(on, null);
  const scope = { facts, chain: chainOf(on), snapshot, signal: new AbortController().signal };
  const life = await readHistory(scope, wallet, { from: 0, until: snapshot.block.time + 1 });
  const bridges = bridgesBetween({ networks, chain: chainOf, facts }, "haircut");
  const walk = await traceWallet({ scope, operator: SILENT_OPERATOR }, life, { bridges });
  const { followed_usd, stopped_at_services_usd, bridge_unmatched_usd, not_followed_usd } = walk.coverage;
  return {
    walk,
    trails: networkTrails([{ scope, walk }]),
    split: [followed_usd, stopped_at_services_usd, bridge_unmatched_usd, not_followed_usd].map((usd) =>
      Math.round(usd),
    ),
  };
};

const amountsOf = ({ trails }: Awaited<ReturnType<typeof traced>>) =>
  trails.map(({ category, trail }) => [category, trail.direction, Math.round(trail.usd), trail.hops]);

test("stolen ether is stolen on the other side of a bridge, and the path names both networks", async () => {
  const found = await traced(who(WHOLE, 1));
  // 39.6 * 2,500; thief, sender, bridge, receiver, wallet.
  expect(amountsOf(found)).toEqual([["theft_or_exploit", "in", 99_000, 4]]);
  expect(found.split).toEqual([99_000, 0, 0, 0]);
  const [category] = categoriesOf({
    trails: found.trails,
    hits: [],
    totals: found.walk.traced.totals,
    score: { categories: [{ code: "theft_or_exploit", x: 1 }] } as never, // only the category is read
  });
  expect(category).toMatchObject({ indirect_in_usd: 99_000, direct_in_usd: 0, share_in_percent: 100 });
  expect(category?.sources).toMatchObject([{ network: "alpha", label: "A theft", confidence: 0.9, is_dust: false }]);
  expect(category?.sources[0]?.path.map(({ network, address }) => [network, address.toLowerCase()])).toEqual([
    ["alpha", `0x${THIEF}`],
    ["alpha", `0x${who(WHOLE, 0)}`],
    ["beta", `0x${SPAN}`],
    ["beta", `0x${who(WHOLE, 0)}`],
  ]);
});

test("a payment over a bridge carries what its sender's money was at its block", async () => {
  // Half of the 200 ether is stolen: 19.8 of 39.6 ether; the exchange is the end of the other half.
  const mixed = await traced(who(MIXED, 1));
  expect(amountsOf(mixed)).toEqual([["theft_or_exploit", "in", 49_500, 4]]);
  expect(mixed.split).toEqual([49_500, 49_500, 0, 0]);
  // The stolen ether came after the departure. Its receipt, 99 ether, is the exchange's.
  const late = await traced(who(LATE, 0));
  expect([amountsOf(late), late.split]).toEqual([[], [0, 247_500, 0, 0]]);
});

test.each([
  ["two departures that fit", TWO, 99_000],
  ["an amount beyond the fee", FEE, 99_000],
  ["an arrival before the departure", EARLY, 99_000],
  ["an arrival after more than an hour", SLOW, 99_000],
  // 197 ether.
  ["two arrivals that fit one departure", RIVALS, 492_500],
])("%s: the other side is unknown", async (_, story, usd) => {
  const found = await traced(who(story, 1));
  expect([amountsOf(found), found.split]).toEqual([[], [0, 0, usd, 0]]);
  expect(found.walk.warnings).toEqual([
    { code: "BRIDGE_UNMATCHED", message: `The other side of ${usd}.00 USD over bridges is unknown.` },
  ]);
});

test("a withdrawal over a roll-up's own bridge may take days", async () => {
  expect(amountsOf(await traced(who(WITHDRAWN, 1)))).toEqual([["theft_or_exploit", "in", 250_000, 4]]);
});

test("money is followed over one bridge after the other", async () => {
  // 50 ether; 4 steps to the second departure, and its arrival and payment.
  const found = await traced(who(THERE_AND_BACK, 2));
  expect(amountsOf(found)).toEqual([["theft_or_exploit", "in", 125_000, 7]]);
  expect(found.trails[0]?.trail.beyond?.trail.beyond?.from.scope.chain.network.id).toBe("beta");
});

test("money that the wallet sent over a bridge is followed there", async () => {
  const found = await traced(who(PAID, 0));
  // Half of 99 ether at the time when the wallet paid; the exchange's 99 came from a service.
  expect(amountsOf(found)).toEqual([["mixer", "out", 123_750, 3]]);
  expect(found.split).toEqual([247_500, 247_500, 0, 0]);
});

test("a network that is not indexed is named when nothing matches, and a match on another one holds", async () => {
  const networks = ["alpha", "beta", "gamma"];
  const { walk } = await traced(who(FEE, 1), { networks });
  expect(walk.warnings.map(({ message }) => message)).toEqual([
    "The other side of 99000.00 USD over bridges is unknown. Movements of that time are unknown on gamma.",
  ]);
  expect(amountsOf(await traced(who(WHOLE, 1), { networks }))).toHaveLength(1);
  // Without alpha nothing can match.
  expect((await traced(who(WHOLE, 1), { networks: ["beta"] })).split).toEqual([0, 0, 99_000, 0]);
});

test("legs beyond the budget are not followed, the smallest first", async () => {
  const found = await traced(who(MANY, 20));
  // 20 + 19 .. + 13 ether of 144; 12 are beyond the budget.
  expect(found.trails.reduce((all, { trail }) => all + trail.usd, 0)).toBeCloseTo(330_000, 3);
  expect(found.split).toEqual([330_000, 0, 0, 30_000]);
  expect(found.walk.coverage).toMatchObject({ left_out: 1, is_complete: false });
});

test("a wallet without a bridge behind it sends no query about bridges", async () => {
  const asked: string[] = [];
  const facts = new Proxy(store.facts, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name);
      if (name === "withSignal") return () => facts;
      if (typeof own !== "function") return own;
      return (...args: unknown[]) => {
        asked.push(name === "ask" ? String(args[1]) : String(name));
        return own.apply(target, args);
      };
    },
  });
  const found = await traced(who(PLAIN, 1), { facts });
  expect(amountsOf(found)).toEqual([["theft_or_exploit", "in", 25_000, 2]]);
  expect(asked.filter((name) => name === "snapshot")).toHaveLength(1);
  expect(asked).toContain("risk/walk");
  expect(asked).not.toContain("bridges/bridge_moves");
});
