import { expect, test } from "vitest";
import { named } from "../../../../test/named.ts";
import { nextLinks, peelChainOf } from "./peel.ts";
import type { ValueMovement } from "./value_events.ts";

const HOUR = 3_600;
/** Position of a payment, one for each pair. */
const places = new Map<string, number>();
const placeOf = (pair: string): number => {
  if (!places.has(pair)) places.set(pair, places.size);
  return places.get(pair) ?? 0;
};
const pairOf = ({ tx }: Pick<ValueMovement, "tx">): string | undefined => [...places.keys()][tx.block_number];

const pay = (source: string, destination: string, usd: number, hour: number): ValueMovement => ({
  source: named(source),
  destination: named(destination),
  usd,
  time: hour * HOUR,
  tx: { block_number: placeOf(`${source}-${destination}`), tx_index: 0 },
});

// 1000 -> a keeps nothing, pays 900 on and 100 to a shop; b pays 800 on, c 700.
const CHAIN: readonly ValueMovement[] = [
  pay("start", "a", 1_000, 0),
  pay("a", "b", 900, 1),
  pay("a", "shop", 100, 2),
  pay("b", "c", 800, 3),
  pay("b", "shop", 100, 4),
  pay("c", "d", 700, 5),
  pay("c", "shop", 100, 6),
];
const ACTORS = new Set(["a", "b", "c"]);
const hashes = (moves: readonly ValueMovement[], actors: ReadonlySet<string>, wallet: string) =>
  peelChainOf(moves, new Set([...actors].map(named)), named(wallet)).map(pairOf);

test("three links in a row are a chain, seen from each of them", () => {
  for (const wallet of ["a", "b", "c"]) expect(hashes(CHAIN, ACTORS, wallet)).toEqual(["a-b", "b-c", "c-d"]);
});

test("two links are no chain, and an address that is no link is in none", () => {
  expect(hashes(CHAIN, new Set(["a", "b"]), "a")).toEqual([]);
  expect(hashes(CHAIN, ACTORS, "d")).toEqual([]);
});

test("an address that peels nothing off, keeps too much or waits too long is no link", () => {
  const without = (hash: string) => CHAIN.filter((move) => pairOf(move) !== hash);
  expect(hashes(without("b-shop"), ACTORS, "a")).toEqual([]);
  expect(hashes([...without("b-c"), pay("b", "c", 700, 3)], ACTORS, "a")).toEqual([]);
  expect(hashes([...without("b-c"), pay("b", "c", 800, 30)], ACTORS, "a")).toEqual([]);
});

test("a circle of payments does not make a chain endless", () => {
  const circle = CHAIN.map((move) => (move.destination === "d" ? { ...move, destination: named("a") } : move));
  expect(hashes(circle, ACTORS, "b")).toHaveLength(3);
});

test("the payers and receivers of a linked wallet are read next, until the chain ends", () => {
  const followed = new Set(["a", "b", "c"].map(named));
  const knowing = (actors: readonly string[]) =>
    CHAIN.filter((one) => actors.includes(one.source) || actors.includes(one.destination));
  const next = (actors: readonly string[]) =>
    nextLinks(knowing(actors), { wallet: named("b"), actors: new Set(actors.map(named)), followed });
  expect(next(["b"])).toEqual(["c", "a"]);
  // Value is not followed to d, and start is not a followed address.
  expect(next(["a", "b", "c"])).toEqual([]);
  expect(nextLinks(knowing(["d"]), { wallet: named("d"), actors: new Set([named("d")]), followed })).toEqual([]);
});
