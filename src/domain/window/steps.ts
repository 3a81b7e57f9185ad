/** Values at the ends of the days, weeks or months of a window: each as of the last block of its step. */
import { AssayError } from "../../lib/errors.ts";
import { DAY_S } from "../../lib/time.ts";
import type { Facts, Snapshot } from "../../store/facts.ts";
import type { SnapshotContext } from "../context.ts";
import type { DateWindow } from "./dates.ts";

export const STEP_LENGTHS = ["day", "week", "month"] as const;
export type StepLength = (typeof STEP_LENGTHS)[number];

/** Steps of one series. */
export const STEPS_MAX = 400;

/** Unix seconds: the first one inside, the first one outside. */
export interface TimeStep {
  readonly from: number;
  readonly until: number;
}

/** The first Monday after 1970 began: weeks count from it. */
const MONDAY = 4 * DAY_S;
const WEEK_S = 7 * DAY_S;

/** The first second after the step of this length that contains `time`. */
const endOf = (time: number, length: StepLength): number => {
  if (length === "day") return time - (time % DAY_S) + DAY_S;
  if (length === "week") return time - ((time - MONDAY + WEEK_S) % WEEK_S) + WEEK_S;
  const date = new Date(time * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000;
};

/** The steps of a window, the first and last one in part. A week begins on a Monday, UTC. */
export const stepsIn = ({ from, until }: TimeStep, length: StepLength): readonly TimeStep[] => {
  const steps: TimeStep[] = [];
  for (let at = from; at < until; at = endOf(at, length)) {
    steps.push({ from: at, until: Math.min(until, endOf(at, length)) });
  }
  return steps;
};

/** The steps of a window up to a block, whose own step ends with it. */
export const stepsOf = ({ from, until }: DateWindow, { time }: Snapshot["block"], length: StepLength) =>
  stepsIn({ from, until: Math.min(until, time + 1) }, length);

/** The last block of each step; null where the index has no block up to its end. */
const lastBlocks = async (
  { facts, snapshot }: SnapshotContext,
  steps: readonly TimeStep[],
): Promise<readonly (Snapshot["block"] | null)[]> => {
  const [since, until] = [steps[0]?.from ?? 0, steps.at(-1)?.until ?? 0];
  const [[before], rows] = await Promise.all([
    since === 0 ? [] : facts.ask(snapshot, "block_at_time", { time: since - 1 }),
    facts.ask(snapshot, "window/step_blocks", { starts: steps.map(({ from }) => from), since, until }),
  ]);
  const found = new Map(rows.map(({ start, ...last }) => [start, last]));
  let last = before ?? null;
  return steps.map(({ from }) => {
    last = found.get(from) ?? last;
    return last === null ? null : { number: last.block_number, hash: last.hash, time: last.time };
  });
};

/** The snapshot as of an earlier block of its range. Where blocks are refused, the store says how whole the range is. */
export const snapshotAt = (facts: Facts, newest: Snapshot, block: Snapshot["block"]): Snapshot | Promise<Snapshot> => {
  const { coverage, network } = newest;
  if (block.number === newest.block.number) return newest;
  if (coverage.gaps.length > 0) return facts.snapshot(network, block.number);
  const { traces: _, trace_gaps = [], ...rest } = coverage;
  const lacking = trace_gaps.flatMap(([from, to]): readonly (readonly [number, number])[] =>
    from > block.number ? [] : [[from, Math.min(to, block.number)]],
  );
  const traced = lacking.length === 0 ? { traces: true } : { traces: false, trace_gaps: lacking };
  return { ...newest, block, is_past: true, coverage: { ...rest, ...traced, to_block: block.number } };
};

/** The value of a step, or why there is none. */
export interface SteppedValue<T> {
  readonly step: TimeStep;
  /** The last block of the step; null where the index has none. */
  readonly block: Snapshot["block"] | null;
  readonly value: T | null;
  readonly reason: string | null;
}

export interface StepRange {
  /** The network at the newest block. */
  readonly scope: SnapshotContext;
  readonly steps: readonly TimeStep[];
  /** Runs before some steps are read, with their snapshots: it reads together what each of them needs. */
  readonly prepare?: (at: readonly Snapshot[]) => Promise<void>;
}

/** Steps that are read side by side. */
const PARALLEL = 8;

const NOT_INDEXED = "The index has no block up to the end of this step.";

/** A step with its snapshot, or why it has none. */
type StepAt =
  | { readonly step: TimeStep; readonly snapshot: Snapshot }
  | { readonly step: TimeStep; readonly snapshot: null; readonly reason: string };

const openStep = async (scope: SnapshotContext, step: TimeStep, block: Snapshot["block"] | null): Promise<StepAt> => {
  if (block === null) return { step, snapshot: null, reason: NOT_INDEXED };
  try {
    return { step, snapshot: await snapshotAt(scope.facts, scope.snapshot, block) };
  } catch (error) {
    return { step, snapshot: null, reason: reasonIn(error) };
  }
};

/** The sentence for a step that the index does not cover; any other error is thrown. */
const reasonIn = (error: unknown): string => {
  if (error instanceof AssayError && error.code === "COVERAGE_INCOMPLETE") return error.public;
  throw error;
};

const readStep = async <T>(
  scope: SnapshotContext,
  at: StepAt,
  read: (scope: SnapshotContext) => Promise<T>,
): Promise<SteppedValue<T>> => {
  const { step } = at;
  if (at.snapshot === null) return { step, block: null, value: null, reason: at.reason };
  const { block } = at.snapshot;
  try {
    return { step, block, value: await read({ ...scope, snapshot: at.snapshot }), reason: null };
  } catch (error) {
    return { step, block, value: null, reason: reasonIn(error) };
  }
};

/** Reads one value at the last block of each step. A step that the index does not cover has none. */
export const readSteps = async <T>(
  { scope, steps, prepare }: StepRange,
  read: (scope: SnapshotContext) => Promise<T>,
): Promise<readonly SteppedValue<T>[]> => {
  const blocks = await lastBlocks(scope, steps);
  const found: SteppedValue<T>[] = [];
  for (let first = 0; first < steps.length; first += PARALLEL) {
    const part = steps.slice(first, first + PARALLEL);
    const opened = await Promise.all(part.map((step, i) => openStep(scope, step, blocks[first + i] ?? null)));
    await prepare?.(opened.flatMap(({ snapshot }) => snapshot ?? []));
    found.push(...(await Promise.all(opened.map((at) => readStep(scope, at, read)))));
  }
  return found;
};
