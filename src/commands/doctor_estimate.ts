/** Cost of a full index, from this node's speed and blocks and the write figures of bench/results.md. Pure. */
import type { Family } from "../chains/chain.ts";
import type { SustainedRate } from "./doctor_measure.ts";

/**
 * Figures of 2026-11-27 in bench/results.md, two cores. EVM: 2,000 blocks with 1,572,581 rows of transfers were read, verified and
 * written at 36.4 blocks/s, and take 149 bytes a row. Solana: 31.5 blocks/s of 2,000 transactions, 229 KB each. Tron: 109.9
 * blocks/s of 300 transactions, 56 KB each.
 */
const MEASURED: Readonly<
  Record<Family, { readonly unit: "transfers" | "transactions"; readonly bytes: number; readonly per_second: number }>
> = {
  evm: { unit: "transfers", bytes: 149, per_second: (1_572_581 / 2_000) * 36.4 },
  solana: { unit: "transactions", bytes: 229_000 / 2_000, per_second: 2_000 * 31.5 },
  tron: { unit: "transactions", bytes: 56_000 / 300, per_second: 300 * 109.9 },
};

/** Other machines, other mixes of transactions, merges of the engine: a factor in both directions. */
const UNSURE = 1.5;

export interface EstimateRange {
  readonly from: number;
  readonly to: number;
}

export interface IndexEstimate {
  readonly blocks: number;
  readonly seconds: EstimateRange;
  readonly bytes: EstimateRange;
  readonly requests: number;
  /** Measurements that determine the speed. */
  readonly limited_by: "the node" | "writing";
  /** Unit of a block by which write figures are counted. */
  readonly unit: "transfers" | "transactions";
  readonly units_per_block: number;
}

/** How far the places of the chain differ from their mean: at least by this factor in both directions. */
const spreadOf = ({ transfers_by_place: places }: SustainedRate): number => {
  const mean = places.reduce((sum, one) => sum + one, 0) / Math.max(1, places.length);
  if (places.length < 2 || mean === 0) return UNSURE;
  const variance = places.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (places.length - 1);
  // Of the mean of all places: the standard error, twice.
  return Math.max(UNSURE, 1 + (2 * Math.sqrt(variance / places.length)) / mean);
};

/** Null where no block could be read. */
export const estimateIndex = (
  family: Family,
  blocks: EstimateRange,
  sustained: SustainedRate,
): IndexEstimate | null => {
  if (sustained.blocks === 0) return null;
  const count = Math.max(0, blocks.to - blocks.from + 1);
  const { unit, bytes, per_second } = MEASURED[family];
  const units_per_block = unit === "transfers" ? sustained.transfers_per_block : sustained.transactions_per_block;
  // Empty blocks have rows and statements, too.
  const written_per_second = per_second / Math.max(1, units_per_block);
  const pace = Math.min(sustained.blocks_per_second, written_per_second);
  const spread = spreadOf(sustained);
  const size = count * Math.max(1, units_per_block) * bytes;
  return {
    blocks: count,
    seconds: { from: count / pace / spread, to: (count / pace) * spread },
    bytes: { from: size / spread, to: size * spread },
    requests: Math.round(count * sustained.requests_per_block),
    limited_by: sustained.blocks_per_second <= written_per_second ? "the node" : "writing",
    unit,
    units_per_block,
  };
};
