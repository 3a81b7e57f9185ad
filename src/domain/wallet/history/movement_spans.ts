import type { Hex } from "../../../lib/bytes.ts";
import type { HeldFacts } from "../../context.ts";

/** How much an address moved, fees and wraps among it; what it moved to itself counts once. */
export interface MovementSpan {
  readonly address: Hex;
  readonly movements: number;
  readonly first_block: number;
  readonly last_block: number;
}

/** How much each of these moved, in their order; who moved nothing is left out. As quick for millions of movements as for one. */
export const readMovementSpans = async (
  { facts, snapshot }: HeldFacts,
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

/** As many of these, in their order, as have so many movements together. Pure. */
export const within = (spans: readonly MovementSpan[], movements_max: number): readonly MovementSpan[] => {
  let left = movements_max;
  return spans.filter(({ movements }) => {
    if (movements > left) return false;
    left -= movements;
    return true;
  });
};
