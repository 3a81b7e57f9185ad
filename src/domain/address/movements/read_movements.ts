import type { Hex } from "../../../lib/bytes.ts";
import { inTurns } from "../../../lib/turns.ts";
import type { Snapshot } from "../../../store/facts.ts";
import type { IndexedFacts } from "../../context.ts";
import type { MovementColumns } from "./movement_buffer.ts";
import { type FinalMovements, MovementCache, RecentMovementCache } from "./movement_cache.ts";
import { firstAtLeast, Movements } from "./movements.ts";

/**
 * Limit of rows in an answer, the newest ones. Reading this many takes two seconds of processor time and some 330 MB
 * the first time; a million takes 7 s and 1.5 GB (bench/history/2026-11-23.md).
 */
const MOVEMENTS_MAX = 200_000;

/**
 * Rows to query after the cached ones, independent of the answer's limit: nearly always a few of the newest blocks, and
 * every part of a call sends the same query.
 */
const BEHIND_MAX = 500_000;

/** A wallet with at most this many movements is read completely, however late the period begins. */
export const SMALL_ROWS_MAX = 2_000;

/** The largest time of the store. */
export const NEVER = 4_294_967_295;

export interface MovementPeriod {
  /** Unix seconds, inclusive. */
  readonly since: number;
  /** Unix seconds, exclusive. */
  readonly until: number;
  readonly rows_max?: number;
}

export interface ReadMovements {
  readonly movements: Movements;
  /** Rows of the period up to the snapshot's block: [first, end). */
  readonly first: number;
  readonly end: number;
  /** The first block with all movements; null when that holds for the whole period. */
  readonly whole_from_block: number | null;
  /** From this time on (unix seconds) all movements up to the snapshot's block are included; null when cut. */
  readonly since: number | null;
}

const queryMovements = (
  { facts, snapshot }: IndexedFacts,
  wallet: Hex,
  { since, until, rows_max = MOVEMENTS_MAX }: MovementPeriod,
) => facts.columns(snapshot, "movements/movements", { wallet, since, until, limit: rows_max + 1 });

/** Number of rows of an answer, newest first, above a block. */
const rowsAbove = ({ block_number, length }: MovementColumns, block: number): number => {
  let rows = 0;
  while (rows < length && (block_number[rows] ?? 0) > block) rows += 1;
  return rows;
};

const withinOf = (
  movements: Movements,
  { since, until }: MovementPeriod,
  block: number,
): Omit<ReadMovements, "since"> => {
  const end = Math.min(firstAtLeast(movements.block_number, block + 1), firstAtLeast(movements.time, until));
  return { movements, first: Math.min(end, firstAtLeast(movements.time, since)), end, whole_from_block: null };
};

/** The newest rows of a wallet with too many, without those of the block in which the answer ends. */
const newestOf = async (
  scope: IndexedFacts,
  period: MovementPeriod,
  columns: MovementColumns,
): Promise<ReadMovements> => {
  const cut = columns.length > (period.rows_max ?? MOVEMENTS_MAX);
  const last_block = columns.block_number[columns.length - 1] ?? 0;
  const to = cut ? rowsAbove(columns, last_block) : columns.length;
  const movements = await inTurns(Movements.empty().with(0, columns, { from: 0, to }));
  return {
    ...withinOf(movements, period, scope.snapshot.block.number),
    whole_from_block: cut ? last_block + 1 : null,
    since: null,
  };
};

/** Rows of an answer that are not cached yet. */
const grow = async (kept: FinalMovements, columns: MovementColumns, { block, final_block }: Snapshot) => {
  const { movements } = kept;
  const last_final = Math.min(block.number, final_block);
  const tail = rowsAbove(columns, last_final);
  const final = await inTurns(movements.with(movements.length, columns, { from: tail, to: columns.length }));
  return {
    kept: { ...kept, block: Math.max(kept.block, last_final), movements: final },
    all: await inTurns(final.with(final.length, columns, { from: 0, to: tail })),
  };
};

/**
 * The newest movements of a wallet in any period, nearly always all that it ever had: other parts of a call, and other
 * calls, need an earlier start. Null when the period has more.
 */
const readSmall = async (scope: IndexedFacts, wallet: Hex, since: number) => {
  const columns = await queryMovements(scope, wallet, { since: 0, until: NEVER, rows_max: SMALL_ROWS_MAX });
  if (columns.length <= SMALL_ROWS_MAX) return { columns, since: 0 };
  // Rows of the last second of the answer may be incomplete.
  const whole_since = (columns.time[columns.length - 1] ?? 0) + 1;
  return whole_since <= since ? { columns, since: whole_since } : null;
};

/**
 * The movements of one wallet in a period, up to the snapshot's block. Final rows are cached (`MovementCache`) and only
 * newer ones are read; a period with an earlier start is read again.
 */
export const readMovements = async (
  scope: IndexedFacts,
  wallet: Hex,
  period: MovementPeriod,
): Promise<ReadMovements> => {
  const { facts, snapshot } = scope;
  const { since, rows_max = MOVEMENTS_MAX } = period;
  const memory = facts.own(MovementCache);
  const found = memory.find(snapshot, wallet, since);
  const known = found ?? { since, block: snapshot.from_block - 1, movements: Movements.empty() };
  const within = (movements: Movements, from: number): ReadMovements => {
    return { ...withinOf(movements, period, snapshot.block.number), since: from };
  };
  if (known.block >= snapshot.block.number) return within(known.movements, known.since);
  const small =
    found === null && since > 0 && rows_max >= SMALL_ROWS_MAX ? await readSmall(scope, wallet, since) : null;
  if (small !== null) {
    const { kept, all } = await grow({ ...known, since: small.since }, small.columns, snapshot);
    memory.keep(snapshot, wallet, kept);
    return within(all, small.since);
  }
  const behind = { facts, snapshot: { ...snapshot, from_block: known.block + 1 } };
  const asked_max = found === null ? rows_max : Math.max(rows_max, BEHIND_MAX);
  const columns = await queryMovements(behind, wallet, { since: known.since, until: NEVER, rows_max: asked_max });
  if (known.movements.length + columns.length > rows_max) {
    // Without a cache entry the first query already covered the whole period.
    const is_same = found === null && (columns.time[0] ?? 0) < period.until;
    return newestOf(scope, period, is_same ? columns : await queryMovements(scope, wallet, period));
  }
  const newest = facts.own(RecentMovementCache);
  const held = newest.findWhere(
    snapshot,
    wallet,
    ({ final, behind }) => final === known.movements && behind === columns,
  );
  if (held !== null) return within(held.all, known.since);
  const { kept, all } = await grow(known, columns, snapshot);
  memory.keep(snapshot, wallet, kept);
  const { movements: final } = kept;
  if (all !== final) newest.keep(snapshot, wallet, { since: known.since, final, behind: columns, all });
  return within(all, known.since);
};
