import type { Hex } from "../../../lib/bytes.ts";
import type { SnapshotContext } from "../../context.ts";
import { type HoldingVerdict, readHoldingOutcomes } from "../../token/developer/holding_outcomes.ts";
import { readLastTraded } from "../../valuation/prices/last_traded.ts";
import type { SalePrice } from "../../valuation/worth.ts";
import type { LedgerEntry } from "./ledger.ts";
import { quantityOf } from "./position.ts";

interface OutcomesQuery {
  readonly wallet: Hex;
  readonly entries: readonly LedgerEntry[];
  /** The last counted second. */
  readonly end: number;
}

export interface Outcomes {
  readonly outcomes: ReadonlyMap<Hex, HoldingVerdict>;
  /** The last market price of a lost token; null when it never had one. */
  readonly lastOf: (bucket: Hex) => SalePrice | null;
}

/** Outcomes of the held tokens, when the window ends with the newest block; empty for earlier ends. */
export const readOutcomes = async (
  scope: SnapshotContext,
  { wallet, entries, end }: OutcomesQuery,
): Promise<Outcomes> => {
  const { snapshot } = scope;
  const held = entries
    .map(({ bucket, position }) => ({ token: bucket, amount: quantityOf(position) }))
    // A position in an NFT is no token.
    .filter(({ token, amount }) => amount > 0n && token.length <= wallet.length);
  if (end < snapshot.block.time || held.length === 0) return { outcomes: new Map(), lastOf: () => null };
  const outcomes = await readHoldingOutcomes(scope, wallet, held);
  const lost = [...outcomes].filter(([, { outcome }]) => outcome !== "tradable").map(([token]) => token);
  const last = await readLastTraded(scope, lost, end + 1);
  return { outcomes, lastOf: (bucket) => last.get(bucket) ?? null };
};
