import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import "../../test/draw.ts";
import { blockRows, openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { sized } from "../../test/long.ts";
import { type Hex, toHex } from "../lib/bytes.ts";
import type { Snapshot } from "./facts.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const WORD = (1n << 256n) - 1n;
const HOLDERS = [1, 2, 3, 4].map((n) => testAddress(0xa0 + n));
const [HONEST, LYING] = [testAddress(0x70), testAddress(0x71)];
const [FINAL, HEAD] = [8, 12];
const TIME = 1_700_000_000;
const NOBODY = Buffer.alloc(0);

/** Null: the void. */
interface WideTransfer {
  readonly token: Uint8Array;
  readonly from: Uint8Array | null;
  readonly to: Uint8Array | null;
  readonly amount: bigint;
  readonly block: number;
}

/** Something was held before the first block: a move of this one, which is not indexed. */
const BEFORE = 0;

/** Sizes at which something might break, and anything between. */
const amount = fc.oneof(
  fc.constantFrom(0n, 1n, 1n << 127n, (1n << 128n) - 1n, 1n << 128n, (1n << 255n) - 1n, 1n << 255n, WORD - 1n, WORD),
  fc.bigInt({ min: 0n, max: WORD }),
  fc.bigInt({ min: 0n, max: 1_000_000n }),
);
const party = fc.constantFrom(...HOLDERS);
const block = fc.integer({ min: 1, max: HEAD });

const drawn = fc.array(fc.record({ from: fc.option(party), to: fc.option(party), amount, block }), {
  minLength: 1,
  maxLength: 14,
});

const held_before = fc.uniqueArray(
  fc.record({ from: fc.constant(null), to: party, amount, block: fc.constant(BEFORE) }),
  { maxLength: HOLDERS.length, selector: ({ to }) => to },
);

type DrawnTransfers = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

const inOrder = (moves: DrawnTransfers): DrawnTransfers => [...moves].sort((a, b) => a.block - b.block);

/** Transfers that checked arithmetic allows: no address sends more than its balance, and the supply is one word. */
const honest = (moves: DrawnTransfers): readonly WideTransfer[] => {
  const held = new Map<Uint8Array, bigint>();
  let supply = 0n;
  return inOrder(moves).map(({ from, to, amount: wanted, block: at }): WideTransfer => {
    const room = from === null ? WORD - supply : (held.get(from) ?? 0n);
    const moved = wanted < room ? wanted : room;
    if (from === null) supply += moved;
    else held.set(from, room - moved);
    if (to === null) supply -= moved;
    else held.set(to, (held.get(to) ?? 0n) + moved);
    return { token: HONEST, from, to, amount: moved, block: at };
  });
};

/** Events say anything. */
const lying = (moves: DrawnTransfers): readonly WideTransfer[] =>
  inOrder(moves).map((move) => ({ ...move, token: LYING, block: move.block }));

const rowsOf = (network: string, moves: readonly WideTransfer[]) =>
  moves.map((move, i) => ({
    ...{ network, block_number: move.block, tx_index: i, position: 0, time: TIME + move.block * 12 },
    ...{ kind: "erc20" as const, token: move.token, token_id: 0n },
    ...{
      source: move.from ?? NOBODY,
      destination: move.to ?? NOBODY,
      amount: move.amount,
      sender: HOLDERS[0] ?? NOBODY,
    },
  }));

/** Sum of the moves in integers of unlimited size. */
const sumsOf = (moves: readonly WideTransfer[], token: Uint8Array, until: number): ReadonlyMap<Hex, bigint> => {
  const sums = new Map<Hex, bigint>();
  for (const move of moves.filter((one) => one.token === token && one.block <= until)) {
    if (move.from !== null) sums.set(toHex(move.from), (sums.get(toHex(move.from)) ?? 0n) - move.amount);
    if (move.to !== null) sums.set(toHex(move.to), (sums.get(toHex(move.to)) ?? 0n) + move.amount);
  }
  return sums;
};

const ranked = (sums: ReadonlyMap<Hex, bigint>) =>
  [...sums]
    .filter(([, sum]) => sum > 0n)
    .map(([holder, sum]) => ({ holder, amount: sum }))
    .sort((a, b) => (a.amount === b.amount ? (a.holder < b.holder ? -1 : 1) : a.amount > b.amount ? -1 : 1));

const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, one) => sum + one, 0n);

/** Compares every question about holdings with the model at one block. */
const checkHoldings = async (snapshot: Snapshot, moves: readonly WideTransfer[], token: Uint8Array): Promise<void> => {
  const { facts } = store;
  const sums = sumsOf(moves, token, snapshot.block.number);
  const held = ranked(sums);
  const hex = toHex(token);
  expect(await facts.tokenHolders(snapshot, [hex], 10)).toEqual([held]);
  const doubtful = [...sums]
    .filter(([, sum]) => sum < 0n || sum > WORD)
    .map(([holder]) => holder)
    .sort();
  const count = {
    ...{ holders: held.length, supply: total(held.map((one) => one.amount)) },
    below_zero: [...sums.values()].filter((sum) => sum < 0n).length,
    beyond: [...sums.values()].filter((sum) => sum > WORD).length,
    doubtful,
  };
  expect(await facts.holderCounts(snapshot, [hex])).toEqual([count]);
  const holders = HOLDERS.map(toHex);
  const pairs = holders.map((holder) => ({ token: hex, holder }));
  expect(await facts.balanceOf(snapshot, pairs)).toEqual(holders.map((holder) => sums.get(holder) ?? 0n));
  for (const holder of HOLDERS) {
    const own = (await facts.walletBalances(snapshot, toHex(holder))).filter((row) => row.token === hex);
    const touched = moves
      .filter((one) => one.token === token && one.block <= snapshot.block.number)
      .filter(({ from, to }) => from === holder || to === holder);
    const blocks = touched.map(({ block: at }) => at);
    const row = {
      ...{ token: hex, amount: sums.get(toHex(holder)), transfers: blocks.filter((at) => at > BEFORE).length },
      ...{ first_block: Math.min(...blocks), last_block: Math.max(...blocks) },
    };
    expect(own).toEqual(touched.length === 0 ? [] : [row]);
  }
  // The same without what is kept of holders.
  const lists = { largest: held.map(({ holder }) => holder), amounts: held.map(({ amount }) => amount) };
  const counted = await facts.ask(snapshot, "token_holders", { tokens: [hex], shards: 1, shard: 0 });
  expect(counted).toEqual(sums.size > 0 ? [{ token: hex, ...count, ...lists, above: 0 }] : []);
};

/** Compares every question about what moved. */
const checkMovements = async (snapshot: Snapshot, moves: readonly WideTransfer[], token: Uint8Array): Promise<void> => {
  const { facts } = store;
  const hex = toHex(token);
  const own = moves.filter((move) => move.token === token && move.block <= snapshot.block.number);
  const sum = (wanted: (move: WideTransfer) => boolean): bigint => total(own.filter(wanted).map((move) => move.amount));
  const holders = HOLDERS.map(toHex);
  for (const holder of HOLDERS) {
    const since = { since: 0, tokens: [hex], wallet: toHex(holder) };
    const [in_] = await facts.ask(snapshot, "stablecoins/inflow", since);
    expect(in_?.raw ?? 0n).toBe(sum((move) => move.to === holder && move.from !== holder));
    const recent = { token: hex, addresses: [toHex(holder)], day_ago: 0, week_ago: 0, month_ago: 0 };
    const [change] = await facts.ask(snapshot, "holders/changes", recent);
    expect(change?.change_24h ?? 0n).toBe(sum((move) => move.to === holder) - sum((move) => move.from === holder));
  }
  const all = { token: hex, since: 0, length_s: 2 ** 31, is_all: 1, categories: [], members: [] };
  const window = { first_block: 0, last_block: HEAD, burns: [] };
  const [flow] = await facts.ask(snapshot, "flows/token_flows", { ...all, ...window });
  expect(flow?.volume ?? 0n).toBe(sum((move) => move.from !== move.to));
  expect(flow?.minted ?? 0n).toBe(sum((move) => move.from === null && move.to !== null));
  expect(flow?.burned ?? 0n).toBe(sum((move) => move.to === null && move.from !== null));
  const [issued] = await facts.ask(snapshot, "developer/issued", { token: hex, after_block: FINAL });
  const until = (move: WideTransfer): boolean => move.block <= FINAL;
  expect(issued?.before).toBe(
    sum((move) => until(move) && move.from === null) -
      sum((move) => until(move) && move.from !== null && move.to === null),
  );
  expect(issued?.minted_after).toBe(sum((move) => !until(move) && move.from === null));
  const changed = await facts.ask(snapshot, "prices/reserves", { tokens: [hex], holders });
  expect(total(changed.map(({ delta }) => delta))).toBe(
    total([...sumsOf(moves, token, snapshot.block.number).values()]),
  );
};

const seed = async (network: string, moves: readonly WideTransfer[]): Promise<void> => {
  const rows = rowsOf(network, moves);
  const openings = rows.filter(({ block_number }) => block_number === BEFORE);
  await store.writer.insert(
    "openings",
    openings.map(({ token, destination, amount: raw }) => {
      return { network, holder: destination, token, amount: raw, block_number: BEFORE };
    }),
  );
  const part = (from: number, to: number) =>
    rows.filter(({ block_number }) => block_number >= from && block_number <= to);
  await store.seed({ network, from: 1, to: 4, time: TIME }, { transfers: part(1, 4) });
  await store.seed({ network, from: 5, to: FINAL, first: 1, time: TIME + 48 }, { transfers: part(5, FINAL) });
  await store.writer.insert("transfers", part(FINAL + 1, HEAD), { is_tail: true });
  await store.writer.insert("blocks", blockRows({ network, from: FINAL + 1, to: HEAD, time: TIME + 96 }), {
    is_tail: true,
  });
};

describe("amounts of up to 2^256 - 1", () => {
  test("add up without a limit in every question, whether the token is honest or lies", async () => {
    let run = 0;
    const property = fc.asyncProperty(drawn, drawn, held_before, async (some, others, opened) => {
      run += 1;
      const network = `wide${run}`;
      const moves = [...honest([...opened, ...some]), ...lying([...opened, ...others])];
      await seed(network, moves);
      const indexed = moves.filter(({ block: at }) => at > BEFORE);
      for (const at of [null, 10, FINAL, 6, 3]) {
        const snapshot = await store.facts.snapshot(network, at);
        for (const token of [HONEST, LYING]) {
          await checkHoldings(snapshot, moves, token);
          await checkMovements(snapshot, indexed, token);
        }
      }
    });
    await fc.assert(property, { numRuns: sized({ slice: 1, long: 4 }) });
  });
});
