import type { Hex } from "../../../lib/bytes.ts";
import type { IndexedFacts } from "../../context.ts";

/** Number of movements of an address, fees and wraps included; a transfer to itself counts once. */
export interface MovementSpan {
  readonly address: Hex;
  readonly movements: number;
  readonly first_block: number;
  readonly last_block: number;
}

/**
 * Spans of these addresses in their order, without those that never moved. The cost does not grow with the movements.
 */
export const readMovementSpans = async (
  { facts, snapshot }: IndexedFacts,
  addresses: readonly Hex[],
): Promise<readonly MovementSpan[]> => {
  if (addresses.length === 0) return [];
  const rows = await facts.ask(snapshot, "history/movement_spans", { addresses: [...addresses].sort() });
  const spans = new Map<Hex, MovementSpan>();
  for (const { address, movements, first_block, last_block } of rows) {
    const before = spans.get(address);
    spans.set(address, {
      address,
      movements: movements + (before?.movements ?? 0),
      first_block: Math.min(first_block, before?.first_block ?? first_block),
      last_block: Math.max(last_block, before?.last_block ?? last_block),
    });
  }
  return addresses.flatMap((address) => spans.get(address) ?? []);
};

/** The addresses whose movements together fit into `movements_max`, in their order. Pure. */
export const within = (spans: readonly MovementSpan[], movements_max: number): readonly MovementSpan[] => {
  let left = movements_max;
  return spans.filter(({ movements }) => {
    if (movements > left) return false;
    left -= movements;
    return true;
  });
};
