import type { Hex } from "../../lib/bytes.ts";
import { inShards } from "../../lib/in_shards.ts";
import { keyOf } from "../../lib/key.ts";
import { openBatchReader } from "../batch_reader.ts";
import type { Facts, QueryRow, Snapshot } from "../facts.ts";
import { type CachedHolderState, HolderCache } from "./holder_cache.ts";
import { type HolderChange, type HolderState, stateAfter, statesTogether } from "./holder_state.ts";
import { firstOf, ranked } from "./ranked.ts";

/**
 * Counting a token's holders reads all of them, and some tokens have tens of millions. A process therefore counts them once, from the sums
 * at a final block; later reads add the holders that moved since, with their earlier balances (docs/design/queries.md).
 */
type HolderStateFacts = Pick<Facts, "ask" | "own" | "balanceOf" | "isCurrent">;

/** Holders of tokens at the snapshot's block, in the order of the tokens. */
export type ReadStates = (
  facts: HolderStateFacts,
  snapshot: Snapshot,
  tokens: readonly Hex[],
) => Promise<readonly HolderState[]>;

/** Most addresses that may have moved tokens since the count; with more, the holders are counted again. */
const MOVED_MAX = 50_000;
/** Maximum number of balances cached with a token. */
const KNOWN_MAX = 20_000;
/** Recounts a list that became too short although more holders exist. */
export const LARGEST_MAX = 1_024;
export const DOUBTFUL_MAX = 100;

type HolderChangeRow = QueryRow<"holder_moves">;
type CachedStates = ReadonlyMap<Hex, CachedHolderState>;

const NOBODY = {
  holders: 0,
  supply: 0n,
  below_zero: 0,
  beyond: 0,
  largest: ranked<never>([], 0),
  doubtful: ranked<never>([], 0),
};

const stateOf = (row: QueryRow<"holder_sums">, block: number): HolderState => {
  const { holders, supply, below_zero, beyond, amounts } = row;
  const largest = row.largest.map((holder, i) => ({ holder, amount: amounts[i] ?? 0n }));
  return {
    ...{ block, holders, supply, below_zero, beyond },
    largest: ranked(largest, holders),
    doubtful: ranked(row.doubtful, below_zero + beyond),
  };
};

const statesOf = (
  rows: readonly QueryRow<"holder_sums">[],
  tokens: readonly Hex[],
  block: number,
): readonly HolderState[] => {
  const found = new Map(rows.map((row) => [row.token, stateOf(row, block)]));
  return tokens.map((token) => found.get(token) ?? { ...NOBODY, block });
};

/** Counts from the sums, or returns null when these do not end with the snapshot's final block and cannot be continued. */
const count = async (
  { ask, own }: HolderStateFacts,
  snapshot: Snapshot,
  tokens: readonly Hex[],
): Promise<CachedStates | null> => {
  const rows = await ask(snapshot, "holder_sums", { tokens: [...tokens] });
  const reach = rows.reduce((max, { above }) => Math.max(max, above), 0) - 1;
  if (reach !== snapshot.final_block) return null;
  const memory = own(HolderCache);
  return new Map(
    statesOf(rows, tokens, reach).map((state, i): [Hex, CachedHolderState] => {
      const [token, kept] = [tokens[i] ?? "", { state, known: new Map() }];
      memory.keep(snapshot, token, kept);
      return [token, kept];
    }),
  );
};

const readCached = async (
  facts: HolderStateFacts,
  snapshot: Snapshot,
  tokens: readonly Hex[],
): Promise<CachedStates | null> => {
  const memory = facts.own(HolderCache);
  const held = tokens.flatMap((token): [Hex, CachedHolderState][] => {
    const kept = memory.find(snapshot, token);
    return kept === null ? [] : [[token, kept]];
  });
  const known = new Map(held);
  const missing = [...new Set(tokens)].filter((token) => !known.has(token));
  const counted = missing.length === 0 ? [] : await count(facts, snapshot, missing);
  return counted === null ? null : new Map([...held, ...counted]);
};

interface CountedTokens {
  readonly block: number;
  readonly tokens: Hex[];
}

/** Tokens by the block that they were counted at. */
const byBlock = (kept: CachedStates): readonly CountedTokens[] => {
  const counted = new Map<number, CountedTokens>();
  for (const [token, { state }] of kept) {
    const { block } = state;
    const same = counted.get(block) ?? { block, tokens: [] };
    same.tokens.push(token);
    counted.set(block, same);
  }
  return [...counted.values()];
};

/** Addresses that moved tokens since the count, by token; null when there are too many. */
const readMoved = async (
  { ask }: HolderStateFacts,
  snapshot: Snapshot,
  kept: CachedStates,
): Promise<ReadonlyMap<Hex, readonly HolderChangeRow[]> | null> => {
  const behind = byBlock(kept).filter(({ block }) => block < snapshot.block.number);
  const lists = await Promise.all(
    behind.map(({ tokens, block }) =>
      ask(snapshot, "holder_moves", { tokens, since: block + 1, row_limit: MOVED_MAX + 1 }),
    ),
  );
  if (lists.some(({ length }) => length > MOVED_MAX)) return null;
  const moved = new Map<Hex, HolderChangeRow[]>();
  for (const row of lists.flat()) {
    const same = moved.get(row.token) ?? [];
    same.push(row);
    moved.set(row.token, same);
  }
  return moved;
};

interface StaleHolders {
  readonly token: Hex;
  readonly kept: CachedHolderState;
  readonly moved: readonly HolderChangeRow[];
}

/** Balances at the count of addresses that moved since: cached, else the current balance minus the gain. */
const amountsBefore = async ({ balanceOf }: HolderStateFacts, snapshot: Snapshot, behind: readonly StaleHolders[]) => {
  const all = behind.flatMap(({ kept, moved }) => moved.map((row) => ({ row, known: kept.known.get(row.holder) })));
  const unknown = all.flatMap(({ row, known }) => (known === undefined ? [row] : []));
  const amounts = await balanceOf(snapshot, unknown);
  return new Map([
    ...all.flatMap(({ row, known }): [HolderChangeRow, bigint][] => (known === undefined ? [] : [[row, known]])),
    ...unknown.map((row, i): [HolderChangeRow, bigint] => [row, (amounts[i] ?? 0n) - row.delta]),
  ]);
};

/** Balances at the block that is kept next: the newest ones, and of the others as many as there is room for. */
const nextBalances = (
  known: CachedHolderState["known"],
  changes: readonly HolderChange[],
): CachedHolderState["known"] => {
  const next = new Map(known);
  for (const { holder, after } of changes) {
    next.delete(holder);
    next.set(holder, after);
  }
  return next.size <= KNOWN_MAX ? next : new Map([...next].slice(-KNOWN_MAX));
};

const isLong = ({ largest, doubtful }: HolderState): boolean =>
  firstOf(largest, LARGEST_MAX) !== null && firstOf(doubtful, DOUBTFUL_MAX) !== null;

/** The state at the end of the snapshot's final block, and at its own. */
const goOn = (
  { block, final_block }: Snapshot,
  { kept, moved }: StaleHolders,
  before: ReadonlyMap<HolderChangeRow, bigint>,
) => {
  const changesBy = (gained: (row: HolderChangeRow) => bigint): readonly HolderChange[] =>
    moved.map((row) => {
      const had = before.get(row) ?? 0n;
      return { holder: row.holder, before: had, after: had + gained(row) };
    });
  const final = changesBy(({ delta, tail_delta }) => delta - tail_delta);
  const last_final = Math.max(final_block, kept.state.block);
  const next: CachedHolderState = {
    state: stateAfter(kept.state, last_final, final),
    known: nextBalances(kept.known, final),
  };
  return {
    next,
    state: stateAfter(
      kept.state,
      block.number,
      changesBy(({ delta }) => delta),
    ),
  };
};

/** Reads from the cache; returns null for blocks in the past and while sums enter. */
const readOn: (...asked: Parameters<ReadStates>) => Promise<readonly HolderState[] | null> = async (
  facts,
  snapshot,
  tokens,
) => {
  if (snapshot.block.number < snapshot.final_block) return null;
  const kept = await readCached(facts, snapshot, tokens);
  if (kept === null) return null;
  const moved = await readMoved(facts, snapshot, kept);
  if (moved === null) {
    for (const token of tokens) facts.own(HolderCache).forget(snapshot, token);
    return null;
  }
  const behind = [...kept].map(([token, one]) => ({ token, kept: one, moved: moved.get(token) ?? [] }));
  const before = await amountsBefore(facts, snapshot, behind);
  // Movements and balances were read one after the other: blocks that were replaced between them fit neither.
  const is_current = await facts.isCurrent(snapshot);
  const memory = facts.own(HolderCache);
  const states = new Map<Hex, HolderState>();
  for (const one of behind) {
    const { next, state } = goOn(snapshot, one, before);
    states.set(one.token, state);
    if (!isLong(next.state)) memory.forget(snapshot, one.token);
    else if (is_current) memory.keep(snapshot, one.token, next);
  }
  const found = tokens.flatMap((token) => states.get(token) ?? []);
  return found.every(isLong) ? found : null;
};

const readAnew: ReadStates = async ({ ask }, snapshot, tokens) => {
  const answers = await inShards((shard) => ask(snapshot, "token_holders", { tokens: [...tokens], ...shard }));
  return statesTogether(answers.map((rows) => statesOf(rows, tokens, snapshot.block.number)));
};

/**
 * Tokens held before the first block. An address has that from the moment on that it is first seen to move: sums of an
 * earlier block lack it.
 */
const openedAmong = async (
  { ask }: HolderStateFacts,
  snapshot: Snapshot,
  tokens: readonly Hex[],
): Promise<ReadonlySet<Hex>> => {
  const [opened] = await ask(snapshot, "has_openings", {});
  const rows = opened?.found === 1 ? await ask(snapshot, "opened_tokens", { tokens: [...tokens] }) : [];
  return new Set(rows.map(({ token }) => token));
};

const readStates: ReadStates = async (facts, snapshot, tokens) => {
  const opened = await openedAmong(facts, snapshot, tokens);
  const [first, others] = [tokens.filter((token) => opened.has(token)), tokens.filter((token) => !opened.has(token))];
  const [anew, on] = await Promise.all([
    first.length === 0 ? [] : readAnew(facts, snapshot, first),
    others.length === 0 ? [] : readOn(facts, snapshot, others),
  ]);
  const found = new Map(first.map((token, i) => [token, anew[i]]));
  for (const [i, state] of (on ?? (await readAnew(facts, snapshot, others))).entries())
    found.set(others[i] ?? "", state);
  return tokens.flatMap((token) => found.get(token) ?? []);
};

/**
 * For one and the same facts: parts of a call want the number of holders and the largest ones at the same time, or one after the other,
 * of one token and of several. A snapshot's answer is cached as long as the snapshot is in use.
 */
export const openStates = (): ReadStates => {
  const known = new WeakMap<Snapshot, Map<Hex, Promise<HolderState>>>();
  const together = openBatchReader<Hex, HolderState>((token) => token);
  return (facts, snapshot, tokens) => {
    const states = known.get(snapshot) ?? new Map<Hex, Promise<HolderState>>();
    known.set(snapshot, states);
    const missing = [...new Set(tokens)].filter((token) => !states.has(token));
    const { network, block, final_block, tail_drops, coverage, rewrites } = snapshot;
    const of = keyOf([network, block.number, final_block, tail_drops, coverage.gaps.join(" "), rewrites ?? 0]);
    const read = together(of, missing, (all) => readStates(facts, snapshot, all));
    for (const [i, token] of missing.entries()) {
      const state = read.then((found) => found[i] as HolderState); // one for each token
      states.set(token, state);
      state.catch(() => states.delete(token));
    }
    return Promise.all(tokens.flatMap((token) => states.get(token) ?? []));
  };
};
