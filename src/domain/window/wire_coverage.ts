import type { Basis } from "../context.ts";

/** What `coverage.trace_gaps` is in answers. */
export const TRACE_GAPS_MEANING =
  "Block ranges [from, to] without traces of internal calls; omitted when every block has them.";

const pairsOf = (ranges: readonly (readonly [number, number])[]) => ranges.map(([from, to]) => [from, to]);

/** Coverage as answers say it. */
export const wireCoverage = ({ coverage }: Pick<Basis, "coverage">) => {
  if (coverage === null) return null;
  const { from_block, to_block, complete, gaps, trace_gaps, ...rest } = coverage;
  const held = { from_block, to_block, complete, gaps: pairsOf(gaps), ...rest };
  return trace_gaps === undefined ? held : { ...held, trace_gaps: pairsOf(trace_gaps) };
};
