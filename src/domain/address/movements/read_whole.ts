import type { Hex } from "../../../lib/bytes.ts";
import type { IndexedFacts } from "../../context.ts";
import { MovementCache } from "./movement_cache.ts";
import { NEVER, type ReadMovements, readMovements, SMALL_ROWS_MAX } from "./read_movements.ts";

/**
 * All movements of a small wallet up to the snapshot's block, when they are cached or known to be few, so that callers
 * need not query the store. Null for any other wallet. `transfers`: the wallet's count from its balances; null when
 * unknown.
 */
export const readWhole = async (
  scope: IndexedFacts,
  wallet: Hex,
  transfers: number | null,
): Promise<ReadMovements | null> => {
  const kept = scope.facts.own(MovementCache).peek(scope.snapshot, wallet);
  const is_small =
    kept?.since === 0 ? kept.movements.length <= SMALL_ROWS_MAX : (transfers ?? Number.NaN) <= SMALL_ROWS_MAX;
  if (!is_small) return null;
  const read = await readMovements(scope, wallet, { since: 0, until: NEVER });
  return read.since === 0 ? read : null;
};
