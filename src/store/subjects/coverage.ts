/** Coverage of answers on a network that is read on demand. */
import { leastVerified } from "../../lib/verified.ts";
import type { Coverage } from "../facts.ts";
import type { SubjectRecord } from "./records.ts";

/** Movements that do not add up to the node's balance are missing some; without inner calls that is expected, and said. */
export const isWhole = ({ is_plain, is_balanced, untraced, from_block }: SubjectRecord): boolean =>
  is_plain && from_block === 0 && (is_balanced || untraced.length > 0);

/** Of a call that needs the rows of no address: the node's state at a block, and no history. */
export const stateCoverage = (block: number): Coverage => ({
  ...{ from_block: block, to_block: block, complete: false, gaps: [] },
  ...{ logs: false, traces: false, verified: "none" },
});

/** Coverage of all these addresses up to a block. */
export const coverageOf = (records: readonly SubjectRecord[], to_block: number): Coverage => {
  const untraced = records.flatMap((record) => record.untraced.filter(([from]) => from <= to_block));
  const trace_gaps = untraced.sort(([a], [b]) => a - b);
  return {
    from_block: Math.max(...records.map(({ from_block }) => from_block)),
    to_block,
    complete: records.every(isWhole),
    gaps: [],
    logs: true,
    ...(trace_gaps.length === 0 ? { traces: true } : { traces: false, trace_gaps }),
    verified: records.map(({ verified }) => verified).reduce((one, other) => leastVerified([one, other])),
  };
};
