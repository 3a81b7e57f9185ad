/** Finds the blocks of an account with standard requests: nonce and balance by bisection, and logs that name it. */
import { AssayError } from "../../lib/errors.ts";
import { checkBlocks, type HistorySearch } from "../account_history.ts";
import { type AccountMarks, MARKS_PER_REQUEST, type MarkKind } from "./account_marks.ts";

interface DiscoveryQuery extends Omit<HistorySearch, "is_followed"> {
  readonly past: Pick<AccountMarks, "marks" | "logBlocks">;
  /** It has no code: it loses coins only by its own transactions. */
  readonly is_plain: boolean;
  readonly signal: AbortSignal;
}

interface Discovery {
  /** Ascending. */
  readonly blocks: readonly number[];
  /** Those in which only its balance showed that something happened. */
  readonly paid: readonly number[];
  /** Balance of the account after `after`, and after `to`. */
  readonly first: bigint;
  readonly last: bigint;
  /** Calls that this took. */
  readonly requests: number;
}

/** Blocks `below` + 1 to `top`, and those of them that are found already. */
interface Interval {
  readonly below: number;
  readonly top: number;
  readonly found: readonly number[];
}

/** One kind of state of the account after blocks, each read once. */
class Marks {
  readonly #query: DiscoveryQuery;
  readonly #kind: MarkKind;
  readonly #known = new Map<number, bigint>();

  constructor(query: DiscoveryQuery, kind: MarkKind) {
    this.#query = query;
    this.#kind = kind;
  }

  get count(): number {
    return this.#known.size;
  }

  at(block: number): bigint {
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
        const marks = await past.marks({ address, kind: this.#kind, blocks: part }, signal);
        for (const [i, mark] of marks.entries()) this.#known.set(part[i] ?? -1, mark);
      }),
    );
  }
}

/** The stretches between the blocks of `edges`, inside which something else may have happened. */
const stretchesBetween = (edges: readonly number[], { after, to }: DiscoveryQuery): readonly Interval[] => {
  const stretches: Interval[] = [];
  let below = after;
  for (const edge of [...edges, to + 1]) {
    if (edge - 1 > below) stretches.push({ below, top: edge - 1, found: [] });
    below = edge;
  }
  return stretches;
};

/** The blocks of `found` (ascending) that each of these stretches contains. */
const withFound = (stretches: readonly Interval[], found: readonly number[]): readonly Interval[] => {
  let next = 0;
  return stretches.map(({ below, top }) => {
    while ((found[next] ?? Number.POSITIVE_INFINITY) <= below) next += 1;
    const first = next;
    while ((found[next] ?? Number.POSITIVE_INFINITY) <= top) next += 1;
    return { below, top, found: found.slice(first, next) };
  });
};

/** Two parts: beside the middle one of the found blocks, so that each is alone in the end; else in the middle. */
const halvesOf = ({ below, top, found }: Interval): readonly Interval[] => {
  const half = found.length >> 1;
  const beside = found[half];
  if (beside === undefined) {
    const middle = Math.floor((below + top) / 2);
    return [
      { below, top: middle, found },
      { below: middle, top, found },
    ];
  }
  const cut = beside < top ? beside : beside - 1;
  const kept = beside < top ? half + 1 : half;
  return [
    { below, top: cut, found: found.slice(0, kept) },
    { below: cut, top, found: found.slice(kept) },
  ];
};

interface Changes {
  /** Blocks that were not found before. */
  readonly fresh: readonly number[];
  /** Found blocks in which the state changed, or one beside which changed. */
  readonly known: readonly number[];
}

/** A round of a search. */
interface SearchRound {
  /** Blocks that were not found before. */
  readonly fresh: number;
  /** Open intervals that contain further such blocks, one at least each. */
  readonly certain: number;
}

/**
 * Blocks of some intervals in which a state changed. All open intervals of a round are read together, so that the number
 * of rounds grows with the logarithm of the range.
 */
const changesIn = async (
  intervals: readonly Interval[],
  marks: Marks,
  onRound: (round: SearchRound) => void,
): Promise<Changes> => {
  const [fresh, known]: [number[], number[]] = [[], []];
  let open = intervals;
  await marks.read(open.flatMap(({ below, top }) => [below, top]));
  while (open.length > 0) {
    const halves: Interval[] = [];
    let certain = 0;
    for (const interval of open) {
      const { below, top, found } = interval;
      if (marks.at(below) === marks.at(top)) continue;
      if (top - below === found.length) known.push(...found);
      else if (top === below + 1) fresh.push(top);
      else {
        halves.push(...halvesOf(interval));
        // Without a found block, another one must have changed the state.
        if (found.length === 0) certain += 1;
      }
    }
    onRound({ fresh: fresh.length, certain });
    await marks.read(halves.map(({ top }) => top));
    open = halves;
  }
  return { fresh, known };
};

const sorted = (blocks: Iterable<number>): readonly number[] => [...new Set(blocks)].sort((a, b) => a - b);

/**
 * Every block of a range in which the account's nonce or balance changed, or that has a log which names it.
 *
 * Nonces never fall, so they are searched alone, without balances. Between two blocks in which the nonce changed, a
 * plain account only gains coins: equal balances mean that nothing happened between them. A contract may receive and
 * send the same within one interval; its callers say so, and its stretches between all found blocks are compared.
 * @throws AssayError UPSTREAM_UNAVAILABLE; TooManyBlocks
 */
export const discoverBlocks = async (query: DiscoveryQuery): Promise<Discovery> => {
  const { past, address, after, to, is_plain, signal, onFound = () => undefined } = query;
  const [nonces, balances] = [new Marks(query, "nonce"), new Marks(query, "balance")];
  const range = { from: after + 1, to, blocks_max: query.blocks_max };
  const named = to <= after ? { blocks: [], requests: 0 } : await past.logBlocks(address, range, signal);
  onFound(named.blocks.length);
  const search = async (marks: Marks, edges: readonly number[], found: readonly number[]): Promise<Changes> => {
    const intervals = withFound(stretchesBetween(is_plain ? edges : found, query), found);
    return changesIn(intervals, marks, ({ fresh, certain }) => {
      onFound(found.length + fresh);
      checkBlocks(found.length + fresh + certain, query, named.requests + nonces.count + balances.count);
    });
  };
  const sent = await search(nonces, [], named.blocks);
  const so_far = sorted([...named.blocks, ...sent.fresh]);
  const paid = await search(balances, sorted([...sent.fresh, ...sent.known]), so_far);
  await balances.read([after, Math.max(after, to)]);
  return {
    blocks: sorted([...so_far, ...paid.fresh]),
    paid: paid.fresh,
    first: balances.at(after),
    last: balances.at(Math.max(after, to)),
    requests: named.requests + nonces.count + balances.count,
  };
};
