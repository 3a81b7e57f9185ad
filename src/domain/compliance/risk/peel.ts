import type { Hex } from "../../../lib/bytes.ts";
import { LIMITS } from "./model.ts";
import type { ValueMovement } from "./value_events.ts";

/** Links of a peel chain in a row, the wallet's own among them. */
const LINKS_MIN = 3;
/** Incoming value leaves again within this time. */
const LINK_S = 86_400;
/** Part of it that goes to one address, while a small part goes elsewhere. */
const PASSED_RATIO_MIN = 0.8;
const PASSED_RATIO_MAX = 0.99;
/** Number of payers of a chain's first address to read: the largest ones. */
const PAYERS_MAX = 20;

const isLarger = (a: ValueMovement, b: ValueMovement | null): boolean => b === null || a.usd > b.usd;
const largest = (moves: readonly ValueMovement[]): ValueMovement | null =>
  moves.reduce<ValueMovement | null>((best, move) => (isLarger(move, best) ? move : best), null);

/**
 * The largest payment onwards of an address that passes on its largest receipt: most to one, a little to others. Null
 * without one.
 */
const linkOf = (address: Hex, moves: readonly ValueMovement[]): ValueMovement | null => {
  const income = largest(moves.filter(({ destination, source }) => destination === address && source !== ""));
  if (income === null || income.usd < LIMITS.dust_usd) return null;
  const paid = moves.filter(
    ({ source, destination, time }) =>
      source === address && destination !== "" && time >= income.time && time <= income.time + LINK_S,
  );
  const main = largest(paid);
  if (main === null || main.destination === income.source) return null;
  const ratio = main.usd / income.usd;
  const is_peeled = paid.some(({ destination }) => destination !== main.destination);
  return is_peeled && ratio >= PASSED_RATIO_MIN && ratio <= PASSED_RATIO_MAX ? main : null;
};

type PeelLinks = ReadonlyMap<Hex, ValueMovement>;

/** Payments of each actor, in and out. */
const dealsOf = (
  moves: readonly ValueMovement[],
  actors: ReadonlySet<Hex>,
): ReadonlyMap<Hex, readonly ValueMovement[]> => {
  const deals = new Map<Hex, ValueMovement[]>([...actors].sort().map((actor) => [actor, []]));
  for (const move of moves) {
    deals.get(move.source)?.push(move);
    if (move.destination !== move.source) deals.get(move.destination)?.push(move);
  }
  return deals;
};

const linksOf = (moves: readonly ValueMovement[], actors: ReadonlySet<Hex>): PeelLinks => {
  const links = new Map<Hex, ValueMovement>();
  for (const [actor, dealt] of dealsOf(moves, actors)) {
    const link = linkOf(actor, dealt);
    if (link !== null) links.set(actor, link);
  }
  return links;
};

/** The chain through the wallet, and its two ends: its last payer and its last receiver. */
const chainOf = (
  links: PeelLinks,
  wallet: Hex,
): { readonly chain: readonly ValueMovement[]; readonly seen: ReadonlySet<Hex> } => {
  const own = links.get(wallet);
  const seen = new Set([wallet]);
  if (own === undefined) return { chain: [], seen };
  const chain: ValueMovement[] = [own];
  for (let next = links.get(own.destination); next !== undefined && !seen.has(next.source); ) {
    chain.push(next);
    seen.add(next.source);
    next = links.get(next.destination);
  }
  const before = (address: Hex): ValueMovement | undefined =>
    [...links.values()].find(({ source, destination }) => destination === address && !seen.has(source));
  for (let previous = before(wallet); previous !== undefined; previous = before(previous.source)) {
    chain.unshift(previous);
    seen.add(previous.source);
  }
  return { chain, seen };
};

/**
 * The payments of a peel chain through the wallet: at least three consecutive addresses which each pass on most of a
 * receipt to the next one within a day and a small part to another address. Empty without a chain. `actors`: the
 * addresses with known payments.
 */
export const peelChainOf = (
  moves: readonly ValueMovement[],
  actors: ReadonlySet<Hex>,
  wallet: Hex,
): readonly ValueMovement[] => {
  const { chain } = chainOf(linksOf(moves, actors), wallet);
  return chain.length < LINKS_MIN ? [] : chain;
};

export interface PeelView {
  readonly wallet: Hex;
  /** Addresses with known payments. */
  readonly actors: ReadonlySet<Hex>;
  /** Addresses whose payments may be read. */
  readonly followed: ReadonlySet<Hex>;
}

/**
 * Addresses whose payments must also be read to see the chain's next links: the receivers of its last address, and the
 * twenty largest payers of its first one. Empty when the chain is known as far as possible.
 */
export const nextLinks = (moves: readonly ValueMovement[], { wallet, actors, followed }: PeelView): readonly Hex[] => {
  const { chain, seen } = chainOf(linksOf(moves, actors), wallet);
  const [first, last] = [chain[0], chain.at(-1)];
  if (first === undefined || last === undefined) return [];
  const paid = new Map<Hex, number>();
  for (const { source, destination, usd } of moves) {
    if (destination !== first.source || seen.has(source) || !followed.has(source)) continue;
    paid.set(source, (paid.get(source) ?? 0) + usd);
  }
  const payers = [...paid]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, PAYERS_MAX)
    .map(([payer]) => payer);
  const next = followed.has(last.destination) ? [last.destination] : [];
  return [...new Set([...next, ...payers])].filter((address) => !actors.has(address));
};
