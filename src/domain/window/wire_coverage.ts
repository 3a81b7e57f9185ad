import type { Basis } from "../context.ts";

/** Meaning of `coverage.trace_gaps` in answers. */
export const TRACE_GAPS_MEANING = "Ranges [from, to] whose inner calls are not known; left out without any.";

const pairsOf = (ranges: readonly (readonly [number, number])[]) => ranges.map(([from, to]) => [from, to]);

/** Coverage in the form of answers. */
export const wireCoverage = ({ coverage }: Pick<Basis, "coverage">) => {
  if (coverage === null) return null;
  const { from_block, to_block, complete, gaps, trace_gaps, ...rest } = coverage;
  const held = { from_block, to_block, complete, gaps: pairsOf(gaps), ...rest };
  return trace_gaps === undefined ? held : { ...held, trace_gaps: pairsOf(trace_gaps) };
};
