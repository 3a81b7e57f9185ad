import type { Hex } from "../../../lib/bytes.ts";
import type { HeldFacts } from "../../context.ts";
import { KeptMovements } from "./kept_movements.ts";
import { NEVER, type ReadMovements, readMovements, SMALL_ROWS_MAX } from "./read_movements.ts";

/**
 * All that ever moved a small wallet up to the snapshot's block, where it is kept from before or known to be little: who has it need not
 * ask the store to go through it. Null of any other wallet. `transfers`: of the wallet, as its balances tell; null where nobody asked.
 */
export const readWhole = async (
  scope: HeldFacts,
  wallet: Hex,
  transfers: number | null,
): Promise<ReadMovements | null> => {
  const kept = scope.facts.own(KeptMovements).peek(scope.snapshot, wallet);
  const is_small =
    kept?.since === 0 ? kept.movements.length <= SMALL_ROWS_MAX : (transfers ?? Number.NaN) <= SMALL_ROWS_MAX;
  if (!is_small) return null;
  const read = await readMovements(scope, wallet, { since: 0, until: NEVER });
  return read.since === 0 ? read : null;
};
