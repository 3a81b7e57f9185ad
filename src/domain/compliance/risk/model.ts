/**
 * The wallet risk model, all of its numbers in one place. Whoever changes one gives the model a new id, so that
 * two scores with one id can be compared.
 */
export const RISK_MODEL_ID = "risk/wallet@1";

/** How bad a category is, 0..100, and the words of the label taxonomy that mean it. */
interface Category {
  readonly category: string;
  readonly weight: number;
  readonly labels: readonly string[];
}

/** Heaviest first: a source counts only in the first category that fits. Equal weights stand in order of their names. */
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
] as const satisfies readonly Category[];

export type RiskCategory = (typeof CATEGORIES)[number]["category"];

/** Words of the label taxonomy that are a risk. */
export const RISK_LABELS: readonly string[] = CATEGORIES.flatMap(({ labels }: Category) => labels);

/** What a wallet does itself, and how much each adds. */
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

export type RiskLevel = (typeof LEVELS)[number]["level"] | "unknown";

export const LIMITS = {
  /** By distance: how much of an exposure still counts. */
  hop_decay: [1, 0.5, 0.25],
  direction_factor: { in: 1, out: 0.8 },
  /** From this share on, an exposure counts in full. */
  full_share: 0.25,
  /** USD from which an exposure counts as the whole, however much clean value lies beside it. */
  full_usd: 1_000_000,
  /** USD per source under which what came in is dust. */
  dust_usd: 100,
  /** Lists of operators and authorities are believed from this confidence on. */
  sure_confidence: 0.9,
  frozen_score_min: 91,
  service_score_max: 30,
  coverage_percent_min: 50,
  /** Wallets that are followed further at each distance, those with the most value first. */
  peers_per_hop: 200,
  /** With more counterparties than this an address is a hub, and nothing is followed through it. */
  hub_peers: 5_000,
  young_days: 7,
  young_volume_usd: 100_000,
  /** More approvals to unverified spenders than this. */
  unverified_approvals: 20,
  passed_times: 5,
} as const;

/** Labels at which tracing stops: what comes out there is not what went in. */
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

/** Labels of exchange hot wallets and protocols, whose score is capped: their customers' deeds are not theirs. */
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

/** The category that a label's word means; null when it is no risk. */
export const categoryOf = (label: string): RiskCategory | null =>
  CATEGORIES.find(({ labels }: Category) => labels.includes(label))?.category ?? null;

/** 0..1 */
export const weightOf = (category: RiskCategory): number =>
  (CATEGORIES.find((one) => one.category === category)?.weight ?? 0) / 100;
