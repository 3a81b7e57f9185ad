import type { Coverage } from "../../store/facts.ts";
import type { Basis, IndexedFacts, Warning } from "../context.ts";
import { indexedSince } from "./indexed_since.ts";
import { holdsWholeChain } from "./whole_chain.ts";

/** Limit of block ranges named in a sentence. */
const RANGES_NAMED_MAX = 5;

/** Coverage from this block on: earlier gaps of traces do not count. */
export const tracesFrom = (coverage: Coverage, from_block: number): Coverage => {
  const { trace_gaps, ...rest } = coverage;
  if (trace_gaps === undefined) return coverage;
  const left = trace_gaps.filter(([, to]) => to >= from_block);
  return left.length === 0 ? { ...rest, traces: true } : { ...rest, trace_gaps: left };
};

/**
 * The snapshot's coverage of a window that begins at the unix second `from`: earlier blocks without traces do not
 * matter.
 */
export const basisIn = async (
  { facts, snapshot }: IndexedFacts,
  { from }: { readonly from: number },
): Promise<Basis> => {
  const { block, coverage } = snapshot;
  if (coverage.traces || from <= 0) return { block, coverage };
  const [before] = await facts.ask(snapshot, "block_at_time", { time: from - 1 });
  return { block, coverage: before === undefined ? coverage : tracesFrom(coverage, before.block_number + 1) };
};

/** Formats block ranges for a sentence. */
const blocksText = (ranges: readonly (readonly [number, number])[]): string => {
  const named = ranges.slice(0, RANGES_NAMED_MAX).map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
  const more = ranges.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
};

const beforeText = ({ coverage, from_block }: IndexedFacts["snapshot"]): string =>
  coverage.complete
    ? `The index begins with block ${from_block}: what happened before it is not known.`
    : `Blocks before ${from_block} are not indexed yet.`;

/** Parts of a window (`from`: its first unix second) that the index lacks. Empty for a complete window. */
export const gapsOf = async (
  { facts, snapshot }: IndexedFacts,
  window: { readonly from: number },
): Promise<readonly Warning[]> => {
  const { coverage } = snapshot;
  const basis = await basisIn({ facts, snapshot }, window);
  const gaps: Warning[] = [];
  if (!holdsWholeChain(coverage)) {
    const refused = coverage.gaps.filter(([from]) => from > snapshot.from_block);
    if (refused.length > 0)
      gaps.push({
        code: "BLOCKS_REFUSED",
        message: `Blocks that verification refuses are missing: ${blocksText(refused)}.`,
      });
    if ((await indexedSince({ facts, snapshot })) > window.from) {
      gaps.push({ code: "WINDOW_NOT_COVERED", message: beforeText(snapshot) });
    }
  }
  if (!coverage.logs) gaps.push({ code: "LOGS_MISSING", message: "Token transfers are not indexed on this network." });
  if (basis.coverage?.traces === false) {
    const lacking = basis.coverage.trace_gaps ?? [];
    const { from_block, to_block } = basis.coverage;
    const is_all = lacking.length === 0 || lacking.some(([from, to]) => from <= from_block && to >= to_block);
    gaps.push({
      code: "INTERNAL_TRANSFERS_MISSING",
      message: is_all
        ? "Coins moved inside contract calls are not indexed: the node gives no traces."
        : `Coins moved inside contract calls are not indexed of these blocks: ${blocksText(lacking)}.`,
    });
  }
  return gaps;
};
