import type { Evidence } from "../../context.ts";

/** Results of an account's check with issuers. */

/** Answer of a sanctions oracle on the chain. */
export interface OracleCheck {
  oracle: string;
  network: string;
  contract: string;
  is_sanctioned: boolean | null;
  block_number: number;
}

/** Powers of an issuer over the account. */
export interface Powers {
  symbol: string;
  network: string;
  contract: string;
  freeze: boolean | null;
  seize_or_destroy: boolean | null;
  pause: boolean | null;
  upgradeable: boolean | null;
  admin: string | null;
}

/** Transfers with a frozen address. */
export interface TopDealing {
  address: string;
  symbol: string;
  network: string;
  amount_usd: number | null;
  frozen_at: string;
  before_or_after_freeze: "before" | "after" | "both";
  evidence: Evidence[];
}

/** Transfers with frozen addresses. */
export interface FrozenExposure {
  frozen_counterparties_count: number;
  received_from_frozen_usd: number;
  sent_to_frozen_usd: number;
  share_percent: number;
  top: TopDealing[];
  inflow_usd: number;
  sanctioned_counterparties_count: number;
  received_from_sanctioned_usd: number;
  unvalued_dealings: number;
}

/** A reason of a verdict. */
export interface VerdictReason {
  code:
    | "sanctioned"
    | "frozen_now"
    | "ever_frozen"
    | "funds_destroyed"
    | "funds_seized"
    | "frozen_counterparty_exposure"
    | "sanctioned_counterparty_exposure"
    | "unvalued_exposure"
    | "oracle_flag";
  evidence: Evidence[];
}
