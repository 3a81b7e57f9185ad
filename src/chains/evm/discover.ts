/** Finds the blocks of an account with standard requests: nonce and balance by bisection, and logs that name it. */
import { AssayError } from "../../lib/errors.ts";
import { checkBlocks, type HistorySearch } from "../account_history.ts";
import type { AccountMark, AccountMarks } from "./account_marks.ts";

/** States of one request: two calls each, so that a request fits the arrays that common nodes accept. */
const MARKS_PER_REQUEST = 50;

interface DiscoveryQuery extends Omit<HistorySearch, "is_followed"> {
  readonly past: Pick<AccountMarks, "marks" | "logBlocks">;
  readonly signal: AbortSignal;
}

interface Discovery {
  /** Ascending. */
  readonly blocks: readonly number[];
  /** The account after `after`, and after `to`. */
  readonly first: AccountMark;
  readonly last: AccountMark;
  /** Calls that this took. */
  readonly requests: number;
}

interface Interval {
  readonly below: number;
  readonly top: number;
}

const isSame = (one: AccountMark, other: AccountMark): boolean =>
  one.nonce === other.nonce && one.balance === other.balance;

/** The account after blocks, each read once. */
class Marks {
  readonly #query: DiscoveryQuery;
  readonly #known = new Map<number, AccountMark>();
  count = 0;

  constructor(query: DiscoveryQuery) {
    this.#query = query;
  }

  at(block: number): AccountMark {
    const mark = this.#known.get(block);
    if (mark === undefined) throw new AssayError({ code: "BUG", message: `the state after block ${block} is unread` });
    return mark;
  }

  async read(blocks: readonly number[]): Promise<void> {
    const { past, address, signal } = this.#query;
    const missing = [...new Set(blocks)].filter((block) => !this.#known.has(block));
    const parts = Array.from({ length: Math.ceil(missing.length / MARKS_PER_REQUEST) }, (_, i) =>
      missing.slice(i * MARKS_PER_REQUEST, (i + 1) * MARKS_PER_REQUEST),
    );
    await Promise.all(
      parts.map(async (part) => {
        const marks = await past.marks(address, part, signal);
        for (const [i, mark] of marks.entries()) this.#known.set(part[i] ?? -1, mark);
      }),
    );
    this.count += missing.length;
  }
}

/** The stretches between the blocks of `seeds`, inside which something else may have happened. */
const intervalsBetween = (seeds: readonly number[], { after, to }: DiscoveryQuery): readonly Interval[] => {
  const edges = [...seeds, to + 1];
  const intervals: Interval[] = [];
  let below = after;
  for (const edge of edges) {
    if (edge - 1 > below) intervals.push({ below, top: edge - 1 });
    below = edge;
  }
  return intervals;
};

/**
 * Every block of a range in which the account's nonce or balance changed, or that has a log which names it. All open
 * intervals of a round are read together, so that the number of rounds grows with the logarithm of the range.
 *
 * A plain account loses coins only by a transaction of its own, which raises its nonce: equal states mean that nothing
 * happened between them. A contract may receive and send the same within one interval; its callers say so.
 * @throws AssayError UPSTREAM_UNAVAILABLE; TooManyBlocks
 */
export const discoverBlocks = async (query: DiscoveryQuery): Promise<Discovery> => {
  const { past, address, after, to, signal, onFound = () => undefined } = query;
  const marks = new Marks(query);
  if (to <= after) {
    await marks.read([after]);
    return { blocks: [], first: marks.at(after), last: marks.at(after), requests: 2 * marks.count };
  }
  const { blocks: named, requests } = await past.logBlocks(
    address,
    { from: after + 1, to, blocks_max: query.blocks_max },
    signal,
  );
  const found = new Set(named);
  onFound(found.size);
  let open = intervalsBetween(named, query);
  await marks.read([after, to, ...open.flatMap(({ below, top }) => [below, top])]);
  while (open.length > 0) {
    const changed = open.filter(({ below, top }) => !isSame(marks.at(below), marks.at(top)));
    for (const { below, top } of changed) if (top === below + 1) found.add(top);
    onFound(found.size);
    // Each longer interval has a block of its own.
    const least = found.size + changed.filter(({ below, top }) => top > below + 1).length;
    checkBlocks(least, query, requests + 2 * marks.count);
    const halves = changed.flatMap(({ below, top }): Interval[] => {
      if (top === below + 1) return [];
      const middle = Math.floor((below + top) / 2);
      return [
        { below, top: middle },
        { below: middle, top },
      ];
    });
    await marks.read(halves.map(({ top }) => top));
    open = halves;
  }
  const blocks = [...found].sort((a, b) => a - b);
  return { blocks, first: marks.at(after), last: marks.at(to), requests: requests + 2 * marks.count };
};
