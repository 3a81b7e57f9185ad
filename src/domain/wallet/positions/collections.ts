import type { Hex } from "../../../lib/bytes.ts";
import { readWhole } from "../../address/movements/read_whole.ts";
import type { IndexedFacts } from "../../context.ts";
import { readPositionEvents } from "../history/position_events.ts";

/**
 * Returns the NFT contracts that reported the liquidity of an NFT the wallet received at some time: their NFTs are
 * positions.
 */
export const positionCollections = async (
  scope: IndexedFacts,
  wallet: Hex,
  contracts: readonly Hex[],
): Promise<readonly Hex[]> => {
  const { facts, snapshot } = scope;
  const read = await readWhole(scope, wallet, null);
  const events = read === null ? null : await readPositionEvents(scope, wallet, read);
  if (events === null) {
    const found = await facts.ask(snapshot, "positions/collections", { wallet, contracts });
    return found.map(({ contract }) => contract);
  }
  const told = events.filter(({ kind, subject }) => kind === "increase" && subject !== wallet);
  return [...new Set(told.map(({ contract }) => contract))].filter((contract) => contracts.includes(contract)).sort();
};
