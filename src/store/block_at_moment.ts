/** Finds the block that an answer as of a date is about. */
import { AssayError } from "../lib/errors.ts";
import type { PinnedMoment } from "../lib/parsed.ts";
import { iso } from "../lib/time.ts";
import { type CoveredRange, coveredRanges, type StoreState } from "./coverage.ts";
import type { Engine } from "./engine.ts";
import { queryRows } from "./query.ts";

type BlockRange = Pick<CoveredRange, "from" | "to">;

const refused = (message: string, retryable = false): AssayError =>
  new AssayError({ code: "COVERAGE_INCOMPLETE", message, public: message, retryable });

/** Runs of held blocks without a hole, oldest first. */
const contiguous = (state: StoreState): readonly BlockRange[] => {
  const all: BlockRange[] = [];
  for (const { from, to } of coveredRanges(state)) {
    const last = all.at(-1);
    if (last !== undefined && last.to + 1 === from) all[all.length - 1] = { from: last.from, to };
    else all.push({ from, to });
  }
  return all;
};

/**
 * The last block at or before a moment. Only a held block behind it proves that it is the last one: the newest block of a range may be
 * followed by others of that moment.
 * @throws AssayError COVERAGE_INCOMPLETE without that proof.
 */
export const blockAtMoment = async (
  engine: Engine,
  [network, state]: readonly [string, StoreState],
  { text, until }: PinnedMoment,
): Promise<number> => {
  const final_block = Math.max(0, state.final_block);
  const ranges = contiguous(state);
  for (const range of [...ranges].reverse()) {
    const bounds = { network, final_block, from_block: range.from, to_block: range.to };
    const [last] = await queryRows(engine, "block_at_time", { ...bounds, time: until });
    if (last === undefined) continue;
    const [next] = await queryRows(engine, "first_block", { ...bounds, from_block: last.block_number + 1 });
    if (next !== undefined) return last.block_number;
    const is_newest = range === ranges.at(-1);
    throw refused(
      is_newest
        ? `The newest indexed block of ${network} is ${last.block_number} of ${iso(last.time)}: whether others follow it up to ${text} is not known. Leave as_of_block out for the newest block.`
        : `The last block of ${network} at ${text} is not indexed: it may be one after ${last.block_number}, where a gap of the index begins.`,
      is_newest,
    );
  }
  const [oldest] = ranges;
  if (oldest === undefined) throw refused(`Nothing of ${network} is indexed yet.`, true);
  throw refused(
    oldest.from === 0
      ? `${network} had no block at ${text}: its first one is later.`
      : `No block of ${network} at ${text} is indexed: the index begins with block ${oldest.from}, which is later.`,
  );
};
