import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../../../test/facts_store.ts";
import { diceOf } from "../../../../test/random.ts";
import { toHex } from "../../../lib/bytes.ts";
import { HOUR_S, hourOf } from "../../../lib/time.ts";

// The ranking of counterparties, on random movements, compared with a plain loop.

const network = "demo";
const T0 = 1_700_000_000;
const BLOCKS = 500;
const PER_ADDRESS = 60;
const PEOPLE = Array.from({ length: 12 }, (_, number) => testAddress(0xb00 + number));
const [WRAPPED, COIN, UNKNOWN] = [testAddress(0x70), testAddress(0x71), testAddress(0x72)];
const NATIVE = new Uint8Array();
const KINDS = ["erc20", "erc20", "native", "wrap", "fee", "erc721", "internal"] as const;

/** The requested wallets, and the addresses to leave out. */
const ASKED = PEOPLE.slice(0, 3).map(toHex);
const ACTORS = PEOPLE.slice(0, 4).map(toHex);
const DECIMALS = new Map<string, number>([
  [toHex(WRAPPED), 2],
  [toHex(COIN), 1],
]);
const HOURS = Array.from({ length: 24 }, (_, i) => hourOf(T0) + i * HOUR_S);
const STORED_UNTIL = HOURS[18] ?? 0;
/** The pools hold this many coins and pay this much: most amounts of the test are limited by it. */
const COIN_DEPTH = { reserve: 2_000, payout_usd: 5_000 };
/** The payment of a constant product, at most the payout; an impact of up to 1 % counts as zero. */
const paidFor = (token: string, coins: number, price: number): number => {
  const spot = coins * price;
  if (token !== toHex(COIN)) return spot;
  const { reserve, payout_usd } = COIN_DEPTH;
  const paid = Math.min(payout_usd, reserve * price - (reserve * reserve * price) / (reserve + coins));
  return paid >= 0.99 * spot ? spot : paid;
};
const priceOf = (token: string, hour: number): number | null =>
  DECIMALS.has(token) && (hour / HOUR_S) % 5 !== 0
    ? 1 + ((hour / HOUR_S) % 3) + (token === toHex(COIN) ? 10 : 0)
    : null;

const drawnTransfer = (dice: (below: number) => number, position: number) => {
  const block_number = dice(BLOCKS);
  const kind = KINDS[dice(KINDS.length)] ?? "erc20";
  const is_native = kind === "native" || kind === "internal" || kind === "fee" || (kind === "wrap" && dice(2) === 0);
  const party = () => (dice(15) === 0 ? NATIVE : (PEOPLE[dice(PEOPLE.length)] ?? NATIVE));
  return {
    ...{ network, block_number, tx_index: 0, position, kind, token_id: 0n, sender: testAddress(1) },
    time: T0 + block_number * 150,
    token: is_native ? NATIVE : ([WRAPPED, COIN, UNKNOWN][dice(3)] ?? COIN),
    source: party(),
    destination: dice(25) === 0 ? WRAPPED : party(),
    amount: BigInt(dice(10_000)),
  };
};
type TransferFixture = ReturnType<typeof drawnTransfer>;

let store: TestFacts;
let transfers: readonly TransferFixture[] = [];
beforeAll(async () => {
  store = await openTestFacts();
  const dice = diceOf(5);
  transfers = Array.from({ length: 3_000 }, (_, position) => drawnTransfer(dice, position));
  const prices = [WRAPPED, COIN, UNKNOWN].flatMap((token) =>
    HOURS.flatMap((hour) => {
      const price_usd = priceOf(toHex(token), hour) ?? (token === UNKNOWN ? 9 : null);
      if (price_usd === null || hour >= STORED_UNTIL) return [];
      return [
        {
          network,
          token,
          hour,
          price_usd,
          method: "market",
          cost_to_move_usd: -1,
          sell_reserve: token === COIN ? COIN_DEPTH.reserve : -1,
          sell_payout_usd: token === COIN ? COIN_DEPTH.payout_usd : -1,
          confidence: "high",
          volume_usd: 1,
          depth_usd: 1,
          version: 1,
        } as const,
      ];
    }),
  );
  await store.seed({ network, from: 0, to: BLOCKS - 1, time: T0 }, { transfers, prices });
});
afterAll(() => store.close());

/** The newest movements of one address with the value of each. */
const movesOf = (address: string) => {
  const sides = transfers.flatMap((row) => [
    { ...row, address: toHex(row.source), peer: toHex(row.destination), direction: -1 },
    { ...row, address: toHex(row.destination), peer: toHex(row.source), direction: 1 },
  ]);
  const newest = sides
    .filter(
      (row) =>
        row.address === address && row.peer !== address && !["fee", "wrap"].includes(row.kind) && row.amount > 0n,
    )
    .filter(({ token, peer }) => !(token.length === 0 && peer === toHex(WRAPPED)))
    .sort((a, b) => b.block_number - a.block_number || b.position - a.position || a.direction - b.direction)
    .slice(0, PER_ADDRESS)
    .filter(({ kind }) => kind !== "erc721")
    .map((row) => ({ ...row, traded: row.token.length === 0 ? toHex(WRAPPED) : toHex(row.token) }));
  // One sale of all of a day.
  const dayOf = ({ traded, direction, time }: (typeof newest)[number]): string =>
    `${traded}:${direction}:${Math.floor(time / (24 * HOUR_S))}`;
  const days = new Map<string, number>();
  for (const row of newest) days.set(dayOf(row), (days.get(dayOf(row)) ?? 0) + Number(row.amount));
  return newest
    .filter(({ peer, amount }) => amount > 0n && peer !== "" && !ACTORS.some((actor) => actor === peer))
    .map((row) => {
      const { traded, time, amount, peer } = row;
      const all = days.get(dayOf(row)) ?? 0;
      const paid = paidFor(traded, all / 10 ** (DECIMALS.get(traded) ?? 0), priceOf(traded, hourOf(time)) ?? 0);
      return { peer, nano: Math.round((paid * Number(amount) * 1e9) / all) };
    });
};

test("counterparties are in the order of what pools paid for the movements with them, at hourly prices", async () => {
  const snapshot = await store.facts.snapshot(network, null);
  const late = HOURS.filter((hour) => hour >= STORED_UNTIL).flatMap((hour) =>
    [WRAPPED, COIN].flatMap((token) => {
      const price = priceOf(toHex(token), hour);
      return price === null
        ? []
        : [
            {
              token: toHex(token),
              hour,
              unit: price / 10 ** (DECIMALS.get(toHex(token)) ?? 0),
              is_coin: token === COIN,
            },
          ];
    }),
  );
  const question = {
    ...{ addresses: ASKED, actors: ACTORS, wrapped: toHex(WRAPPED), per_address: PER_ADDRESS },
    ...{ tokens: [toHex(WRAPPED), toHex(COIN)], decimals: [2, 1], stored_from: 0, stored_until: STORED_UNTIL },
    ...{ late_tokens: late.map(({ token }) => token), late_hours: late.map(({ hour }) => hour) },
    late_units: late.map(({ unit }) => unit),
    late_reserves: late.map(({ is_coin }) => (is_coin ? COIN_DEPTH.reserve * 10 : -1)),
    late_payouts: late.map(({ is_coin }) => (is_coin ? COIN_DEPTH.payout_usd : -1)),
  };
  const sums = new Map<string, number>();
  for (const { peer, nano } of ASKED.flatMap(movesOf)) sums.set(peer, (sums.get(peer) ?? 0) + nano);
  const expected = [...sums]
    .filter(([, nano]) => nano > 0)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([peer, nano]) => ({ peer, usd: expect.closeTo(nano / 1e9, 5) }));
  expect(expected.length).toBeGreaterThan(5);
  expect(await store.facts.ask(snapshot, "risk/partners", { ...question, limit: 100, offset: 0 })).toEqual(expected);
  expect(await store.facts.ask(snapshot, "risk/partners", { ...question, limit: 3, offset: 2 })).toEqual(
    expected.slice(2, 5),
  );
});

test("without counted tokens there are no counterparties", async () => {
  const snapshot = await store.facts.snapshot(network, null);
  const late = { late_tokens: [], late_hours: [], late_units: [], late_reserves: [], late_payouts: [] };
  const nothing = { ...late, tokens: [""] as const, decimals: [0] };
  const question = {
    ...{ addresses: ASKED, actors: ACTORS, wrapped: toHex(WRAPPED), per_address: PER_ADDRESS, ...nothing },
    ...{ stored_from: 0, stored_until: STORED_UNTIL, limit: 100, offset: 0 },
  };
  expect(await store.facts.ask(snapshot, "risk/partners", question)).toEqual([]);
});
