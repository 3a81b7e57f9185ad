/** A wallet's activity in numbers. */
import type { PinnedBlock } from "../../../../lib/parsed.ts";

export interface LargestTransfer {
  usd_value: number;
  amount: number | null;
  amount_raw: string;
  token: string | null;
  token_address: string;
  peer: string | null;
  chain: string;
  tx_hash: string | null;
  timestamp: string;
}

/** Parts of the totals without another owner's coins. */
export interface OwnershipBreakdown {
  in: { mints_usd: number; wraps_usd: number; rewards_usd: number };
  out: { burns_usd: number; wraps_usd: number };
}

/** Figures over all requested networks. */
export interface Stats {
  first_seen: string | null;
  last_seen: string | null;
  age_days: number | null;
  tx_count: number;
  tx_sent: number;
  votes: number;
  tx_received: number;
  failed_tx: number;
  token_transfer_count: number;
  unique_counterparties: number;
  unique_contracts_called: number;
  unique_tokens: number;
  nft_transfer_count: number;
  spam_transfers: number;
  active_days: number;
  total_in_usd: number | null;
  total_out_usd: number | null;
  of_which: OwnershipBreakdown;
  unpriced_transfers: number;
  largest_in: LargestTransfer | null;
  largest_out: LargestTransfer | null;
  gas_spent_native: number | null;
  gas_spent_usd: number | null;
  swap_count: number;
  swap_volume_usd: number | null;
  bridge_count: number | null;
  contracts_deployed: number;
  nonce: number | null;
}

/** Figures of one network. */
export interface NetworkStats extends Stats {
  network: string;
}

/** Parameters of a stats call. */
export interface StatsQuery {
  network: string;
  /** First unix seconds of days. */
  from_date?: number | undefined;
  to_date?: number | undefined;
  as_of_block?: PinnedBlock | undefined;
}
