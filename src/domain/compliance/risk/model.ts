/**
 * The wallet risk model with all of its numbers. A change of any number needs a new model id, so that two scores with
 * one id are comparable.
 */
export const RISK_MODEL_ID = "risk/wallet@2";

/** Severity of a category, 0..100, and the label taxonomy words that mean it. */
interface CategoryWeight {
  readonly category: string;
  readonly weight: number;
  readonly labels: readonly string[];
}

/** Heaviest first: a source counts only in the first category that fits. Equal weights are in alphabetical order. */
export const CATEGORIES = [
  { category: "child_abuse_or_terror", weight: 100, labels: ["child_abuse", "terror"] },
  { category: "sanctioned", weight: 100, labels: ["sanctioned"] },
  { category: "issuer_frozen", weight: 95, labels: ["issuer_frozen"] },
  { category: "ransomware", weight: 90, labels: ["ransomware"] },
  { category: "theft_or_exploit", weight: 90, labels: ["theft", "exploit"] },
  { category: "darknet", weight: 75, labels: ["darknet"] },
  { category: "mixer", weight: 75, labels: ["mixer"] },
  { category: "phishing_or_scam", weight: 75, labels: ["phishing", "scam"] },
  { category: "ponzi", weight: 60, labels: ["ponzi"] },
  { category: "non_kyc_exchange", weight: 45, labels: ["non_kyc_exchange"] },
  { category: "privacy_service", weight: 40, labels: ["privacy_service"] },
  { category: "gambling", weight: 30, labels: ["gambling"] },
  { category: "high_risk_bridge", weight: 30, labels: ["high_risk_bridge"] },
] as const satisfies readonly CategoryWeight[];

export type RiskCategory = (typeof CATEGORIES)[number]["category"];

/** Words of the label taxonomy that are a risk. */
export const RISK_LABELS: readonly string[] = CATEGORIES.flatMap(({ labels }: CategoryWeight) => labels);

/** Behaviours of a wallet with the weight of each. */
export const BEHAVIOURS = {
  young_high_volume: 0.25,
  pass_through: 0.25,
  peel_chain: 0.25,
  many_unverified_approvals: 0.25,
  deployed_rugged_token: 0.6,
} as const;

export type BehaviourCode = keyof typeof BEHAVIOURS;

/** Highest score of each level. */
export const LEVELS = [
  { level: "low", up_to: 30 },
  { level: "moderate", up_to: 70 },
  { level: "high", up_to: 90 },
  { level: "severe", up_to: 100 },
] as const;

export type WalletRiskLevel = (typeof LEVELS)[number]["level"] | "unknown";

export const LIMITS = {
  /** The part of an indirect exposure that counts, at any distance: dilution on the way is in its amount already. */
  indirect_factor: 0.5,
  direction_factor: { in: 1, out: 0.8 },
  /** From this share on, an exposure counts in full. */
  full_share: 0.25,
  /** USD from which an exposure counts as the whole, regardless of clean value. */
  full_usd: 1_000_000,
  /** USD per source below which incoming value is dust, if the wallet never paid the source. */
  dust_usd: 100,
  /** The part of an exposure by dust that counts: any account can send dust to any other. */
  dust_factor: 0.25,
  /** USD of the wallet's value from which on an address is followed further. */
  follow_usd: 1,
  /** Lists of operators and authorities are trusted from this confidence on. */
  sure_confidence: 0.9,
  /** Movements over bridges to match and to follow on the other network, those with the most value first. */
  bridge_legs: 8,
  /** Transactions to read from nodes for the ids that bridges state. */
  bridge_transactions: 64,
  frozen_score_min: 91,
  service_score_max: 30,
  coverage_percent_min: 50,
  /** Wallets to follow further at each distance, those with the most value first. */
  peers_per_hop: 200,
  /** An address with more counterparties is a hub, and value is not followed through it. */
  hub_peers: 5_000,
  young_days: 7,
  young_volume_usd: 100_000,
  /** More approvals to unverified spenders than this. */
  unverified_approvals: 20,
  passed_times: 5,
} as const;

/** Labels at which tracing stops: their outputs do not come from their inputs. */
export const STOP_LABELS: readonly string[] = [
  "exchange",
  "exchange_deposit",
  "bridge",
  "dex",
  "lending",
  "nft",
  "launchpad",
  "oracle",
  "issuer",
  "stablecoin_contract",
  "token_contract",
  "payment",
  "miner_validator",
  "burn",
  "locker",
  "smart_account",
  "unknown_service",
];

/** Labels of exchange hot wallets and protocols, whose score is capped: they do not answer for their customers. */
export const SERVICE_LABELS: readonly string[] = [
  "exchange",
  "bridge",
  "dex",
  "lending",
  "nft",
  "launchpad",
  "oracle",
  "issuer",
  "stablecoin_contract",
  "payment",
];

/** The category of a label word; null when it is no risk. */
export const categoryOf = (label: string): RiskCategory | null =>
  CATEGORIES.find(({ labels }: CategoryWeight) => labels.includes(label))?.category ?? null;

/** 0..1 */
export const weightOf = (category: RiskCategory): number =>
  (CATEGORIES.find((one) => one.category === category)?.weight ?? 0) / 100;
