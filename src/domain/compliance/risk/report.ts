import type { ShownParty } from "../../address/identity/parties.ts";
import type { Evidence } from "../../context.ts";
import type { BEHAVIOURS } from "./model.ts";
import type { EndReason } from "./traced_network.ts";

/** Results of a wallet's risk check. */

/** A right over the wallet's tokens that is in force. */
export interface ApprovalFinding {
  network: string;
  token: string;
  symbol: string | null;
  spender: string;
  spender_label: string | null;
  allowance: number | null;
  allowance_raw: string | null;
  is_unlimited: boolean;
  value_at_risk_usd: number | null;
  reason: "risky_spender" | "unverified_spender" | "unknown_spender" | "account_spender";
  evidence: Evidence[];
}

/** Reach of the tracing. */
export interface TracingSummary {
  method: string;
  wallets_followed: number;
  hubs_not_followed: number;
  wallets_left_out: number;
  transfers_read: number;
  followed_usd: number;
  stopped_at_services_usd: number;
  bridge_unmatched_usd: number;
  not_followed_usd: number;
  is_complete: boolean;
}

/** Exposure to one category of risk. */
export interface CategoryFinding {
  category:
    | "child_abuse_or_terror"
    | "sanctioned"
    | "issuer_frozen"
    | "ransomware"
    | "theft_or_exploit"
    | "darknet"
    | "mixer"
    | "phishing_or_scam"
    | "ponzi"
    | "non_kyc_exchange"
    | "privacy_service"
    | "gambling"
    | "high_risk_bridge";
  score: number;
  direct: boolean;
  exposure_in_usd: number;
  exposure_out_usd: number;
  direct_in_usd: number;
  direct_out_usd: number;
  indirect_in_usd: number;
  indirect_out_usd: number;
  dust_in_usd: number;
  share_in_percent: number;
  share_out_percent: number;
  min_hops: number | null;
  sources: {
    address: string;
    label: string | null;
    category: string | null;
    label_source: string | null;
    network: string;
    direction: "out" | "in";
    usd: number;
    hops: number;
    is_dust: boolean;
    confidence: number;
    first_seen: string;
    last_seen: string;
    path: PathStep[];
  }[];
  sources_count: number;
  evidence: Evidence[];
}

/** A source or destination of money. */
export interface SourceFinding {
  address: string;
  label: string | null;
  category: string | null;
  label_source: string | null;
  network: string;
  direction: "out" | "in";
  usd: number;
  hops: number;
  is_dust: boolean;
  confidence: number;
  first_seen: string;
  last_seen: string;
  path: PathStep[];
}

/** An address on a path, and the payment that leads on from it, or to it. */
export type PathStep = ShownParty & {
  address: string;
  network: string;
  tx_hash: string;
  time: string;
  paid: { token: string | null; symbol: string | null; amount: number | null; usd: number | null }[];
};

/** Where a wallet's money came from or went to without a category of risk. */
export interface EndFinding extends ShownParty {
  address: string;
  network: string;
  direction: "out" | "in";
  reason: EndReason;
  usd: number;
  share_percent: number;
  hops: number;
  path: PathStep[];
}

/** A wallet along the path. */
export interface RelatedWallet {
  address: string;
  label: string | null;
  label_category: string | null;
  label_source: string | null;
  network: string;
  category:
    | "child_abuse_or_terror"
    | "sanctioned"
    | "issuer_frozen"
    | "ransomware"
    | "theft_or_exploit"
    | "darknet"
    | "mixer"
    | "phishing_or_scam"
    | "ponzi"
    | "non_kyc_exchange"
    | "privacy_service"
    | "gambling"
    | "high_risk_bridge";
  relation: "counterparty" | "intermediary";
  usd: number;
  evidence: Evidence[];
}

/** Actions of issuers against the wallet. */
export interface FreezesFinding {
  frozen_now: boolean;
  ever_frozen: boolean;
  coins_checked: number;
  coins: {
    network: string;
    symbol: string;
    contract: string;
    is_frozen: boolean | null;
    status: "ok" | "failed";
    evidence: Evidence[];
  }[];
}

/** Lists that name the wallet. */
export interface SanctionsFinding {
  listed: boolean;
  matches: {
    list: string;
    version: string;
    entity: string | null;
    program: string | null;
    listed_on: string | null;
    delisted_on: string | null;
    evidence: Evidence[];
  }[];
  formerly_listed: {
    list: string;
    version: string;
    entity: string | null;
    program: string | null;
    listed_on: string | null;
    delisted_on: string | null;
    evidence: Evidence[];
  }[];
  lists_checked: { id: string; version: string; age_hours: number }[];
}

/** A mitigating fact about the wallet. */
export interface PositiveFactor {
  code: "known_service" | "established_wallet" | "funded_by_exchanges" | "not_sanctioned" | "not_frozen";
  description: string;
  evidence: Evidence[];
}

/** Conduct of the wallet that counts in its score. */
export interface BehaviourFinding {
  code: keyof typeof BEHAVIOURS;
  score: number;
  description: string;
  evidence: Evidence[];
}
