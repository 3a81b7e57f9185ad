import type { Hex } from "../../../lib/bytes.ts";
import { firstAtLeast, IS_COST, isNewTransaction, type Movements } from "../../address/movements/movements.ts";
import type { IndexedFacts } from "../../context.ts";
import { NAMED_MAX } from "../history/movement_selection.ts";
import { PNL_CLAIM_SELECTORS } from "./pnl.ts";
import { transactionKey } from "./transaction_movements.ts";

interface ClaimPosition {
  readonly block_number: number;
  readonly tx_index: number;
}

/** Own transactions from a row on in which the wallet received something and paid only coins. */
const mayBeClaims = (movements: Movements, first: number): readonly ClaimPosition[] => {
  const { block_number, tx_index, is_own, direction, kind, length } = movements;
  const native = movements.tokens.find("");
  const found: ClaimPosition[] = [];
  let [gets, gives] = [false, false];
  for (let row = first; row < length; row += 1) {
    if (is_own[row] === 1 && IS_COST[kind[row] ?? 0] === 0) {
      if (direction[row] === 1) gets = true;
      else if (movements.token[row] !== native) gives = true;
    }
    if (row + 1 < length && !isNewTransaction(movements, row + 1)) continue;
    if (gets && !gives) found.push({ block_number: block_number[row] ?? 0, tx_index: tx_index[row] ?? 0 });
    [gets, gives] = [false, false];
  }
  return found;
};

interface ClaimsQuery {
  readonly wallet: Hex;
  readonly movements: Movements;
  /** Earlier blocks are already known. */
  readonly from_block: number;
}

/**
 * Transactions (`block:index`) in which the wallet called a claim function, received something, and paid only coins,
 * for the service.
 */
export const readClaims = async (
  { facts, snapshot }: IndexedFacts,
  { wallet, movements, from_block }: ClaimsQuery,
): Promise<ReadonlySet<string>> => {
  const places = mayBeClaims(movements, firstAtLeast(movements.block_number, from_block));
  if (places.length === 0) return new Set();
  if (places.length > NAMED_MAX) {
    const asked = { wallet, selectors: PNL_CLAIM_SELECTORS };
    return new Set((await facts.ask({ ...snapshot, from_block }, "pnl/claims", asked)).map(transactionKey));
  }
  const called = await facts.ask(snapshot, "transaction_details", {
    blocks: places.map(({ block_number }) => block_number),
    indexes: places.map(({ tx_index }) => tx_index),
  });
  const claims = called.filter(({ sender, selector }) => sender === wallet && PNL_CLAIM_SELECTORS.includes(selector));
  return new Set(claims.map(transactionKey));
};
