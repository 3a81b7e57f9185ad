/** Which sums have entered the balances of a network. */
import type { Engine } from "../engine.ts";
import { queryRows } from "../query.ts";
import { readSegments } from "../segments.ts";
import { readBatches } from "../subjects/records.ts";

/** Both tables of sums. */
export type BalanceTable = "balances" | "balances_by_holder";

interface BalanceMarker {
  readonly table: BalanceTable;
  readonly from: number;
  readonly to: number;
  readonly times: number;
}

export interface UnitSpan {
  readonly from: number;
  readonly to: number;
}

export interface EnteredUnits {
  /** Segments or batches whose sums shall be in the balances. */
  readonly units: readonly (UnitSpan & { readonly is_done: boolean })[];
  /** Their blocks. */
  readonly spans: readonly UnitSpan[];
  readonly markers: readonly BalanceMarker[];
}

/** Segments, or batches of a network that is read on demand. */
const readUnits = async (engine: Engine, network: string) => {
  const [segments, batches] = await Promise.all([readSegments(engine, network), readBatches(engine, network)]);
  return [
    ...segments.map(({ from, to, latest }) => ({ from, to, is_done: latest.state === "done", blocks: null })),
    ...batches.map(({ blocks, state }) => {
      return { from: blocks[0] ?? 0, to: blocks.at(-1) ?? 0, is_done: state === "done", blocks };
    }),
  ];
};

/** Everything but these blocks (ascending). */
const spansWithout = (blocks: readonly number[]): readonly UnitSpan[] => {
  const edges = [-1, ...blocks, Number.MAX_SAFE_INTEGER];
  return edges
    .slice(1)
    .map((edge, i) => ({ from: (edges[i] ?? -1) + 1, to: edge - 1 }))
    .filter(({ from, to }) => from <= to);
};

/** Units that are done, and the one whose sums have entered already. */
export const readEnteredUnits = async (engine: Engine, network: string): Promise<EnteredUnits> => {
  const [units, rows] = await Promise.all([
    readUnits(engine, network),
    queryRows(engine, "segments_entered", { network }),
  ]);
  const markers = rows.map(({ name, from_block, to_block, times }): BalanceMarker => {
    // `name` is one of the two that the question writes.
    return { table: name as BalanceTable, from: from_block, to: to_block, times: Number(times) };
  });
  const marked = new Set(markers.filter(({ times }) => times !== 0).map(({ from, to }) => `${from}-${to}`));
  const hasEntered = ({ from, to, is_done }: (typeof units)[number]): boolean => is_done || marked.has(`${from}-${to}`);
  const entered = units.filter(hasEntered);
  // Blocks of batches alternate, and no other rows are stored.
  const others = units.flatMap((unit) => (hasEntered(unit) ? [] : (unit.blocks ?? [])));
  const has_batches = units.some(({ blocks }) => blocks !== null);
  return { units: entered, spans: has_batches ? spansWithout(others.sort((a, b) => a - b)) : entered, markers };
};
