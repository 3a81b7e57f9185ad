import type { Hex } from "../../../lib/bytes.ts";
import { readWhole } from "../../address/movements/read_whole.ts";
import type { SnapshotContext } from "../../context.ts";
import { openPricePass } from "../../valuation/prices/price_pass.ts";
import type { StepRange } from "../../window/steps.ts";

/**
 * Prepares the holdings of a wallet at many steps: its movements are in memory from then on, and the prices of all its tokens are
 * computed in one pass. `scope`: the newest snapshot.
 */
export const prepareHoldings = async (
  scope: SnapshotContext,
  wallet: Hex,
): Promise<NonNullable<StepRange["prepare"]>> => {
  const { facts, snapshot, chain } = scope;
  const sums = await facts.walletBalances(snapshot, wallet);
  const transfers = sums.reduce((sum, one) => sum + one.transfers, 0);
  await readWhole(scope, wallet, transfers);
  const tokens = sums.map(({ token }) => token);
  return openPricePass({ facts, network: chain.network, snapshot }, ["", ...tokens]);
};
