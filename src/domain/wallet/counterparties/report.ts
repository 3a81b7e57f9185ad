import type { PinnedBlock } from "../../../lib/parsed.ts";
import type { ShownParty } from "../../address/identity/parties.ts";
import type { Evidence } from "../../context.ts";
import type { UnpairedVolume } from "../history/volumes.ts";

/** The report on a wallet's counterparties. */

/** A relationship between two addresses and its evidence. */
export interface Relationship extends ShownParty {
  address: string;
  network: string;
  relation:
    | "first_funder"
    | "funded_by_wallet"
    | "deposit_address"
    | "mutual"
    | "same_owner_likely"
    | "contract_deployed"
    | "shared_safe_signer";
  confidence: number;
  evidence: Evidence[];
}

/** The whole analysis of a wallet's counterparties. */
export interface CounterpartyAnalysis {
  type: "counterparties_analysis";
  by_category: {
    category: string;
    in_usd: number;
    out_usd: number;
    share_in_percent: number | null;
    share_out_percent: number | null;
    peer_count: number;
    transfer_count: number;
  }[];
  by_entity: { entity: string; category: string | null; in_usd: number; out_usd: number; addresses_count: number }[];
  concentration: {
    hhi_in: number | null;
    hhi_out: number | null;
    top1_percent: number | null;
    top5_percent: number | null;
  };
  relationships: Relationship[];
  recurrence: { new_peers: number | null; recurring_peers: number; one_off_percent: number };
  risk_exposure: {
    category: string;
    direct_in_usd: number;
    direct_out_usd: number;
    indirect_in_usd: number | null;
    indirect_out_usd: number | null;
    top_sources: (ShownParty & { address: string; hops: number; amount_usd: number; evidence: Evidence[] })[];
  }[];
  exchange_use: {
    deposits_usd: number;
    withdrawals_usd: number;
    exchanges: { entity: string; deposits_usd: number; withdrawals_usd: number; addresses_count: number }[];
  };
  poisoning_attempts: {
    count: number;
    lookalikes: (ShownParty & {
      address: string;
      imitates: string | null;
      confidence: number | null;
      evidence: Evidence[];
    })[];
  };
  summary: {
    counterparty_count: number;
    labeled_count: number;
    total_in_usd: number | null;
    total_out_usd: number | null;
    unpriced_transfers: number;
    left_out: UnpairedVolume;
    hidden_spam: number;
  };
  unavailable: { field: string; reason: string }[];
}

/** Parameters of an analysis. */
export interface AnalysisQuery {
  network: string;
  hops: number;
  /** First unix seconds of days. */
  from_date?: number | undefined;
  to_date?: number | undefined;
  as_of_block?: PinnedBlock | undefined;
}
