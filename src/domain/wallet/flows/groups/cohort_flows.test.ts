import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../../../../test/facts_store.ts";
import { diceOf, type RandomBelow } from "../../../../../test/random.ts";
import { type Hex, hex, toHex } from "../../../../lib/bytes.ts";
import { DAY_S, HOUR_S } from "../../../../lib/time.ts";
import { type Mover, mergeMovers, readMovers } from "./movers.ts";

// Flows across the borders of cohorts and their movers, on generated movements, compared with plain loops: addresses of
// several cohorts, fresh ones that age in between, amounts of any size, and several shards of the addresses.

const network = "demo";
const T0 = 1_700_006_400;
const BLOCKS = 900;
const [TOKEN, OTHER, BURN, VOID] = [testAddress(0x70), testAddress(0x71), testAddress(0xdead), new Uint8Array()];
const PEOPLE = Array.from({ length: 20 }, (_, n) => testAddress(0xd00 + n));
const person = (n: number): Uint8Array => PEOPLE[n] ?? VOID;
const [EXCHANGE, FUND, DEX, CONTRACT, SMART, WHALE, AGED] = [0, 1, 2, 3, 4, 5, 6].map((n) => toHex(person(n)));
const BLOCK_S = 600;
const FRESH_S = 200 * BLOCK_S;
const blocks = { first_block: 100, now_block: 500, last_block: 850 };

const drawn = (dice: RandomBelow, index: number) => {
  // Higher numbers start later.
  const block_number = dice(BLOCKS);
  const party = () =>
    [BURN, VOID, ...PEOPLE.slice(0, 8 + Math.floor(block_number / 70))][dice(10 + Math.floor(block_number / 70))] ??
    VOID;
  const [source, destination] = [party(), party()];
  return {
    ...{ network, block_number, tx_index: index, position: index, kind: "erc20" as const, token_id: 0n },
    ...{ time: T0 + block_number * BLOCK_S, sender: testAddress(1), token: dice(5) === 0 ? OTHER : TOKEN },
    ...{ source, destination, amount: dice(20) === 0 ? 2n ** 255n : BigInt(dice(50)) },
  };
};

const label = (address: Hex | undefined, category: string, nth: number) => ({
  ...{ network, address: Buffer.from(address ?? "", "hex"), source: "test", label: `x${nth}`, category, entity: "x" },
  ...{ confidence: 1, evidence: "", valid_from: 0, licence: "", published_on: "", written_at: 1 },
});

let store: TestFacts;
let moves: readonly ReturnType<typeof drawn>[] = [];
beforeAll(async () => {
  store = await openTestFacts();
  const dice = diceOf(5);
  moves = Array.from({ length: 2_500 }, (_, index) => drawn(dice, index));
  noteFirsts();
  await store.writer.insert("labels", [
    ...[label(EXCHANGE, "exchange", 1), label(EXCHANGE, "fund", 2), label(FUND, "fund", 1), label(DEX, "dex", 1)],
  ]);
  const made = {
    block_number: 0,
    tx_index: 0,
    position: 0,
    time: T0,
    tx_hash: VOID,
    event: "created",
    method: "create",
  } as const;
  const by = { creator: person(9), factory: VOID, init_hash: VOID, code_hash: VOID };
  await store.seed(
    { network, from: 0, to: BLOCKS - 1, time: T0, block_s: BLOCK_S },
    { transfers: moves, contracts: [{ network, address: person(3), ...made, ...by }] },
  );
});
afterAll(() => store.close());

const asked = {
  token: hex(toHex(TOKEN)),
  categories: ["exchange", "fund"],
  label_cohorts: ["exchange", "fund"],
  ...{ rules: "r", list_day: 0 },
  listed_cohorts: ["smart_trader", "whale", "whale"],
  listed_addresses: [SMART ?? "", WHALE ?? "", SMART ?? ""].map(hex),
  ...{ with_fresh: 1, fresh_s: FRESH_S },
  aged: [hex(AGED ?? ""), hex(toHex(BURN))],
  burns: [hex(toHex(BURN))],
};

const KNOWN = new Map<string | undefined, readonly string[]>([
  [EXCHANGE, ["exchange", "fund"]],
  [FUND, ["fund"]],
  [SMART, ["smart_trader", "whale"]],
  [WHALE, ["whale"]],
]);

/** Time of each address's first movement of any token. */
const first_times = new Map<string, number>();
const noteFirsts = (): void => {
  for (const { source, destination, time } of moves)
    for (const party of [toHex(source), toHex(destination)])
      first_times.set(party, Math.min(time, first_times.get(party) ?? time));
};

/** Cohorts of an address at a time; none for the void and burn addresses. */
const cohortsOf = (party: string, time: number): readonly string[] => {
  const first = first_times.get(party) ?? 0;
  const is_old = [DEX, CONTRACT, AGED, toHex(BURN), ""].includes(party);
  const found = [...(KNOWN.get(party) ?? []), ...(!is_old && time < first + FRESH_S ? ["fresh_wallets"] : [])];
  const is_gone = party === "" || party === toHex(BURN);
  return found.length > 0 ? found : is_gone ? [] : ["unclassified"];
};

const allOf = (first: number) =>
  moves
    .filter(({ block_number: block, token }) => block >= first && block <= blocks.last_block && token === TOKEN)
    .map((move) => ({ ...move, from: toHex(move.source), to: toHex(move.destination) }));

const movesOf = (first: number) => allOf(first).filter(({ from, to, amount }) => from !== to && amount > 0n);

/** An account that moved anything up to this time is fresh at no flow from the block on. */
const sinceOf = (block: number): number => T0 + block * BLOCK_S - 1 - FRESH_S;

test("an account is fresh shortly after its first movement, also where cached sums replace its ledger", async () => {
  const { now_block: first_block, last_block } = blocks;
  const flows = new Map<string, number>();
  for (const { from, to, time } of allOf(first_block))
    for (const party of [from, to]) flows.set(party, Math.min(time, flows.get(party) ?? time));
  const expected = [...flows]
    .filter(([party, first_flow]) => party !== "" && first_flow < (first_times.get(party) ?? 0) + FRESH_S)
    .map(([address, first_flow]) => ({ address, first_flow }))
    .sort((a, b) => (a.address < b.address ? -1 : 1));
  const snapshot = await store.facts.snapshot(network, null);
  const since = sinceOf(first_block);
  const question = { token: asked.token, first_block, last_block, fresh_s: FRESH_S, since, limit: 100 };
  expect(await store.facts.ask(snapshot, "groups/fresh", question)).toEqual(expected);
  // A day begins in between, so that the sums leave some accounts out.
  expect(Math.floor(since / DAY_S)).toBeGreaterThan(Math.floor(T0 / DAY_S));
  expect([expected.length > 2, expected.length < flows.size]).toEqual([true, true]);
});

test("sums the flows across each cohort's border by hour", async () => {
  const sums = new Map<
    string,
    { cohort: string; is_now: number; hour: number; inflow: bigint; outflow: bigint; inflows: number; outflows: number }
  >();
  for (const { from, to, time, amount, block_number } of movesOf(blocks.first_block)) {
    const [left, reached] = [cohortsOf(from, time), cohortsOf(to, time)];
    const [is_now, hour] = [block_number >= blocks.now_block ? 1 : 0, time - (time % HOUR_S)];
    const add = (cohort: string, [inflow, outflow]: readonly [bigint, bigint]): void => {
      const key = `${cohort} ${is_now} ${hour}`;
      const sum = sums.get(key) ?? { cohort, is_now, hour, inflow: 0n, outflow: 0n, inflows: 0, outflows: 0 };
      const inflows = sum.inflows + Number(inflow > 0n);
      const outflows = sum.outflows + Number(outflow > 0n);
      sums.set(key, { ...sum, inflow: sum.inflow + inflow, outflow: sum.outflow + outflow, inflows, outflows });
    };
    for (const cohort of reached) if (!left.includes(cohort)) add(cohort, [amount, 0n]);
    for (const cohort of left) if (!reached.includes(cohort)) add(cohort, [0n, amount]);
  }
  const expected = [...sums.values()].sort(
    (a, b) => (a.cohort < b.cohort ? -1 : a.cohort > b.cohort ? 1 : 0) || a.is_now - b.is_now || a.hour - b.hour,
  );
  const snapshot = await store.facts.snapshot(network, null);
  const question = { ...asked, ...blocks, since: sinceOf(blocks.first_block) };
  expect(await store.facts.ask(snapshot, "groups/flows", question)).toEqual(expected);
  expect(new Set(expected.map(({ cohort }) => cohort)).size).toBe(6);
});

test("lists the movers of each cohort, in one query and in several shards", async () => {
  const unit = 0.5;
  // The pools hold 40 units and pay 15 USD at most: 20 - 20 / (1 + amount / 40), and no impact of up to 1 %.
  const DEPTH = { reserve: 40, payout_usd: 15 };
  const paidFor = (amount: number): number => {
    const paid = Math.min(DEPTH.payout_usd, 20 - 20 / (1 + amount / DEPTH.reserve));
    return paid >= 0.99 * amount * unit ? amount * unit : paid;
  };
  const priced = [...new Set(movesOf(blocks.now_block).map(({ time }) => time - (time % HOUR_S)))].slice(1);
  const found = new Map<string, { in: bigint; out: bigint; in_usd: number; out_usd: number; unpriced: number }>();
  for (const { from, to, time, amount } of movesOf(blocks.now_block))
    for (const [party, is_in] of [
      [from, false],
      [to, true],
    ] as const)
      for (const cohort of cohortsOf(party, time)) {
        const key = `${cohort} ${party}`;
        const one = found.get(key) ?? { in: 0n, out: 0n, in_usd: 0, out_usd: 0, unpriced: 0 };
        const is_priced = priced.includes(time - (time % HOUR_S));
        const usd = is_priced ? Math.min(Math.round(paidFor(Number(amount)) * 1e9) / 1e9, 1e30) : 0;
        found.set(key, {
          ...(is_in ? { in: one.in + amount, out: one.out } : { in: one.in, out: one.out + amount }),
          in_usd: one.in_usd + (is_in ? usd : 0),
          out_usd: one.out_usd + (is_in ? 0 : usd),
          unpriced: one.unpriced + (is_priced ? 0 : 1),
        });
      }
  const snapshot = await store.facts.snapshot(network, null);
  const { last_block, now_block: first_block } = blocks;
  const window = {
    ...asked,
    first_block,
    last_block,
    since: sinceOf(first_block),
    hours: priced,
    prices: priced.map(() => unit),
    reserves: priced.map(() => DEPTH.reserve),
    payouts: priced.map(() => DEPTH.payout_usd),
    limit: 100,
  };
  const rows = await readMovers({ facts: store.facts, snapshot }, window);
  const shown = rows.map(({ cohort, address, raw_in, raw_out, in_usd, out_usd, unpriced }) => [
    `${cohort} ${address}`,
    {
      in: raw_in,
      out: raw_out,
      in_usd: Number(in_usd.toPrecision(12)),
      out_usd: Number(out_usd.toPrecision(12)),
      unpriced,
    },
  ]);
  const rounded = [...found].map(([key, one]) => [
    key,
    { ...one, in_usd: Number(one.in_usd.toPrecision(12)), out_usd: Number(one.out_usd.toPrecision(12)) },
  ]);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(rounded));
  const parties = [...found.keys()].map((key) => key.split(" ")[1]);
  const often = new Set(parties.filter((party, i) => parties.indexOf(party) !== i));
  expect(rows[0]?.overlap).toBe(often.size);
  for (const { cohort, wallets } of rows)
    expect(wallets).toBe([...found.keys()].filter((key) => key.startsWith(`${cohort} `)).length);
  // The first three of each cohort are the same for any number of shards.
  const firstOf = async (shards: number): Promise<readonly Mover[]> => {
    const three = { ...window, limit: 3 };
    const answers = await Promise.all(
      Array.from({ length: shards }, (_, shard) =>
        store.facts.ask(snapshot, "groups/wallets", { ...three, shards, shard }),
      ),
    );
    return mergeMovers(answers, 3);
  };
  expect(await firstOf(4)).toEqual(await firstOf(1));
  expect((await firstOf(1)).length).toBeLessThan(rows.length);
});
