/** The steps of every series, and the fields by which a row names its own. */
import * as z from "zod";
import type { CallContext, SnapshotContext, Warning } from "../../domain/context.ts";
import { checkDates, type DateWindow, dateWindow } from "../../domain/window/dates.ts";
import { STEP_LENGTHS, STEPS_MAX, type SteppedValue, stepsIn, stepsOf } from "../../domain/window/steps.ts";
import { DAY_S, dayStart, iso, isoDay } from "../../lib/time.ts";
import { date, network } from "../fields.ts";
import type { CheckContext, ToolInput } from "../tool.ts";

export const over = {
  network: network(),
  step: z.enum(STEP_LENGTHS).default("day").describe("Length of a step, UTC. A week begins on a Monday."),
  from_date: date("First day (UTC, inclusive). Default: 89 days before to_date."),
  to_date: date("Last day (UTC, inclusive). Default: the day of the newest block."),
};

const overInput = z.strictObject(over);

export const stepFields = {
  date: z.string().describe("First day of the step."),
  until: z.string().describe("Last second of the step; of a step that is not over, the time of the newest block."),
  block_number: z.int().nullable().describe("Last block of the step, as of which its values are; null without one."),
  block_time: z.string().nullable(),
  reason: z.string().nullable().describe("Why the step has no values, or a value is null."),
};

/** How many steps there may be, and the order of the dates. */
export const checkSteps = (
  { from_date, to_date, step }: Pick<z.output<typeof overInput>, "from_date" | "to_date" | "step">,
  { today }: CheckContext,
): string | null => {
  const fault = checkDates({ from_date, to_date }, today);
  if (fault !== null || from_date === undefined) return fault;
  const [from, last] = [dayStart(from_date), dayStart(to_date ?? today)];
  // Binding refuses what is no day.
  if (from === null || last === null) return null;
  const count = stepsIn({ from, until: last + DAY_S }, step).length;
  return count <= STEPS_MAX ? null : `the dates have ${count} steps of a ${step}; at most ${STEPS_MAX} fit.`;
};

/** A series as it is read: the network at its newest block, the days, and the steps. */
export const openSteps = async (
  context: CallContext,
  asked: Pick<ToolInput<typeof overInput>, "network" | "step" | "from_date" | "to_date">,
) => {
  const { facts, signal } = context;
  const chain = context.chain(asked.network);
  const snapshot = await facts.snapshot(asked.network, null);
  const scope: SnapshotContext = { facts, chain, snapshot, signal };
  const window = dateWindow(asked, snapshot.block.time);
  return { scope, window, steps: stepsOf(window, snapshot.block, asked.step) };
};

export const daysOf = ({ from_date, to_date }: DateWindow) => ({ from: from_date, to: to_date });

export const stepRow = ({ step, block, reason }: Omit<SteppedValue<unknown>, "value">) => ({
  date: isoDay(step.from),
  until: iso(step.until - 1),
  block_number: block?.number ?? null,
  block_time: block === null ? null : iso(block.time),
  reason,
});

/** Each warning once, however many steps have it. */
export const warningsOf = (all: readonly (readonly Warning[])[]): readonly Warning[] => [
  ...new Map(all.flat().map((warning) => [`${warning.code} ${warning.message}`, warning])).values(),
];
