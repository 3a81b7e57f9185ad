import { STAKING_RECEIPTS } from "../knowledge/protocols.gen.ts";
import type { Hex } from "../lib/bytes.ts";

/** Receipts of staking on a network. Vaults (EIP-4626), lending receipts and pool shares are not listed: their events identify them. */
export const stakingReceipts = (network: string): ReadonlySet<Hex> =>
  new Set(STAKING_RECEIPTS.filter((receipt) => receipt.network === network).map(({ token }) => token));
