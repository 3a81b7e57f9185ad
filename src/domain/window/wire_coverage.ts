import type { Basis } from "../context.ts";

/** Description of `coverage.trace_gaps`. */
export const TRACE_GAPS_MEANING =
  "Block ranges [from, to] without traces of internal calls; omitted when every block has them.";

const pairsOf = (ranges: readonly (readonly [number, number])[]) => ranges.map(([from, to]) => [from, to]);

/** Coverage in the form of an answer. */
export const wireCoverage = ({ coverage }: Pick<Basis, "coverage">) => {
  if (coverage === null) return null;
  const { from_block, to_block, complete, gaps, trace_gaps, ...rest } = coverage;
  const held = { from_block, to_block, complete, gaps: pairsOf(gaps), ...rest };
  return trace_gaps === undefined ? held : { ...held, trace_gaps: pairsOf(trace_gaps) };
};
