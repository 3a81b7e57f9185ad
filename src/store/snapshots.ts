import { AssayError } from "../lib/errors.ts";
import { blockAtMoment } from "./block_at_moment.ts";
import { coverageAt, coveredRanges, type StoreState, settledTo } from "./coverage.ts";
import type { Engine } from "./engine.ts";
import type { Coverage, Facts, Snapshot } from "./facts.ts";
import { queryRows } from "./query.ts";
import { openStateReader } from "./state.ts";
import type { WriteObserver } from "./write_observer.ts";

/** Final blocks whose hash and time are cached, because the newest one is read constantly. */
const FINAL_BLOCKS_KEPT = 1_000;

const incomplete = (message: string): AssayError =>
  new AssayError({ code: "COVERAGE_INCOMPLETE", message, public: message, retryable: true });

/**
 * `final_block` as SQL takes it. Before anything of a network that starts at block 0 is final it is -1, which UInt64
 * cannot say: block 0, the genesis, then counts as final and is not seen yet.
 */
export const boundaryOf = (final_block: number): number => Math.max(0, final_block);

/** Hash and time of blocks that are held. */
const blockReader = (engine: Engine) => {
  const final_blocks = new Map<string, Snapshot["block"]>();
  return async (network: string, state: StoreState, number: number): Promise<Snapshot["block"]> => {
    const island = state.islands.find(({ to }) => to === number);
    if (island !== undefined && number > state.final_block) return { number, hash: island.hash, time: island.time };
    const key = `${network}:${state.generation}:${number}`;
    const known = number <= state.final_block ? final_blocks.get(key) : undefined;
    if (known !== undefined) return known;
    const bounds = { network, from_block: number, to_block: number, final_block: boundaryOf(state.final_block) };
    const [row] = await queryRows(engine, "block_by_number", { ...bounds, number });
    if (row === undefined) throw incomplete(`Block ${number} of ${network} is not indexed.`);
    const block = { number, hash: row.hash, time: row.time };
    if (number <= state.final_block) {
      if (final_blocks.size >= FINAL_BLOCKS_KEPT) final_blocks.clear();
      final_blocks.set(key, block);
    }
    return block;
  };
};

/** Recorded gaps of a range that goes on below them, as one text; "" where it has none, or ends above them. */
const gapsAbove = ({ from_block, gaps }: Pick<Coverage, "from_block" | "gaps">, first: number): string =>
  from_block > first ? "" : gaps.filter(([from]) => from > first).join(" ");

export type Snapshots = Pick<Facts, "snapshot" | "isCurrent">;

export const openSnapshots = (engine: Engine, looks: WriteObserver): Snapshots => {
  const reader = openStateReader(engine, looks);
  const blockAt = blockReader(engine);
  return {
    async snapshot(network, as_of_block) {
      const state = await reader.read(network);
      const newest = coveredRanges(state).at(-1)?.to ?? null;
      const number =
        as_of_block !== null && typeof as_of_block === "object"
          ? await blockAtMoment(engine, [network, state], as_of_block)
          : (as_of_block ?? newest);
      if (number === null) throw incomplete(`Nothing of ${network} is indexed yet.`);
      const coverage = coverageAt(state, number);
      if (coverage === null) throw incomplete(`Block ${number} of ${network} is not indexed.`);
      return {
        network,
        generation: state.generation,
        block: await blockAt(network, state, number),
        final_block: state.final_block,
        from_block: coverage.from_block,
        settled_to: settledTo(state, coverage.from_block),
        coverage,
        ...(number === newest ? {} : { is_past: true }),
        tail_drops: state.tail_drops,
        rewrites: state.rewrites,
      };
    },

    async isCurrent({
      network,
      generation,
      block,
      final_block,
      from_block,
      coverage: before,
      tail_drops,
      rewrites = 0,
    }) {
      const state = await reader.read(network);
      // All facts were dropped; or a segment that was read again, for what it lacked, has other rows and enters the balances with other sums.
      if (state.first === null || state.generation !== generation || state.rewrites !== rewrites) return false;
      const coverage = coverageAt(state, block.number);
      // Balances before another first block are being read.
      if (before.complete && coverage?.complete !== true) return false;
      // A refused block of the range is there now, or is being written.
      const gaps = gapsAbove(before, from_block);
      if (gaps !== "" && (coverage === null || gapsAbove(coverage, from_block) !== gaps)) return false;
      // Other final blocks cannot change, and they are never moved again.
      if (block.number <= final_block) return true;
      if (state.final_block !== final_block || state.tail_drops !== tail_drops) return false;
      // A cut is counted before it and after it: in between, what it takes first are the rows of blocks.
      return coverage !== null && coverage.from_block <= from_block;
    },
  };
};
