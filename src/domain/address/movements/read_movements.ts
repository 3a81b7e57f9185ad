import type { Hex } from "../../../lib/bytes.ts";
import { inTurns } from "../../../lib/turns.ts";
import type { Snapshot } from "../../../store/facts.ts";
import type { HeldFacts } from "../../context.ts";
import { type Kept, KeptMovements, NewestMovements } from "./kept_movements.ts";
import type { MovementColumns } from "./movement_room.ts";
import { firstAtLeast, Movements } from "./movements.ts";

/**
 * Rows of one wallet that an answer is made of: of more, the newest so many. So many take two seconds of processor time and some
 * 330 MB of the process the first time; a million 7 s and 1.5 GB (bench/history/2026-11-23.md).
 */
const MOVEMENTS_MAX = 200_000;

/**
 * Rows that are asked for behind those that are known, whatever an answer is made of: nearly always a few of the newest blocks, and
 * every part of a call asks for the same of them.
 */
const BEHIND_MAX = 500_000;

/** A wallet with so many movements or less is read as a whole, however late the period begins. */
export const SMALL_ROWS_MAX = 2_000;

/** The end of time, as the store counts it. */
export const NEVER = 4_294_967_295;

export interface Period {
  /** Unix seconds, the first one inside. */
  readonly since: number;
  /** Unix seconds, the first one outside. */
  readonly until: number;
  readonly rows_max?: number;
}

export interface ReadMovements {
  readonly movements: Movements;
  /** Rows of the period up to the snapshot's block: [first, end). */
  readonly first: number;
  readonly end: number;
  /** The first block of which every movement is there; null when that is so of all of the period. */
  readonly whole_from_block: number | null;
  /** From this time on (unix seconds) every movement up to the snapshot's block is among them; null where they are cut. */
  readonly since: number | null;
}

const ask = ({ facts, snapshot }: HeldFacts, wallet: Hex, { since, until, rows_max = MOVEMENTS_MAX }: Period) =>
  facts.columns(snapshot, "movements/movements", { wallet, since, until, limit: rows_max + 1 });

/** How many rows of an answer, newest first, lie above a block. */
const rowsAbove = ({ block_number, length }: MovementColumns, block: number): number => {
  let rows = 0;
  while (rows < length && (block_number[rows] ?? 0) > block) rows += 1;
  return rows;
};

const withinOf = (movements: Movements, { since, until }: Period, block: number): Omit<ReadMovements, "since"> => {
  const end = Math.min(firstAtLeast(movements.block_number, block + 1), firstAtLeast(movements.time, until));
  return { movements, first: Math.min(end, firstAtLeast(movements.time, since)), end, whole_from_block: null };
};

/** The newest rows of a wallet with too many: without those of the block in which the answer ends. */
const newestOf = async (scope: HeldFacts, period: Period, columns: MovementColumns): Promise<ReadMovements> => {
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

/** What the rows of an answer add to those that are kept. */
const grow = async (kept: Kept, columns: MovementColumns, { block, final_block }: Snapshot) => {
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
 * The newest movements of a wallet whatever the period, nearly always all that it ever had: other parts of a call, and other calls,
 * want an earlier beginning. Null where the period has more.
 */
const readSmall = async (scope: HeldFacts, wallet: Hex, since: number) => {
  const columns = await ask(scope, wallet, { since: 0, until: NEVER, rows_max: SMALL_ROWS_MAX });
  if (columns.length <= SMALL_ROWS_MAX) return { columns, since: 0 };
  // Those of the second in which the answer ends may be cut.
  const whole_since = (columns.time[columns.length - 1] ?? 0) + 1;
  return whole_since <= since ? { columns, since: whole_since } : null;
};

/**
 * The movements of one wallet in a period, up to the snapshot's block. What is final is read once (`KeptMovements`), and
 * behind it what is new; a period that begins earlier is read anew.
 */
export const readMovements = async (scope: HeldFacts, wallet: Hex, period: Period): Promise<ReadMovements> => {
  const { facts, snapshot } = scope;
  const { since, rows_max = MOVEMENTS_MAX } = period;
  const memory = facts.own(KeptMovements);
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
  const columns = await ask(behind, wallet, { since: known.since, until: NEVER, rows_max: asked_max });
  if (known.movements.length + columns.length > rows_max) {
    // Nothing was known: it was asked for all of the period already.
    const is_same = found === null && (columns.time[0] ?? 0) < period.until;
    return newestOf(scope, period, is_same ? columns : await ask(scope, wallet, period));
  }
  const newest = facts.own(NewestMovements);
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
