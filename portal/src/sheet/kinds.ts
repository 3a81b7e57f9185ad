/** Display of a field, derived from its name, which ends with the unit. */

export type DisplayKind =
  | "usd"
  | "percent"
  | "amount"
  | "count"
  | "time"
  | "address"
  | "token"
  | "contract"
  | "transaction"
  | "strange"
  | "label"
  /** A name of a field, as words. */
  | "words"
  | "evidence"
  | "flag"
  | "severity"
  | "text";

const BY_ENDING: readonly (readonly [RegExp, DisplayKind])[] = [
  [/(_usd|^usd|usd_value)(_90d|_24h|_displayed)?$/, "usd"],
  [/(_percent|_percentage|^percent)(_24h|_adjusted)?$/, "percent"],
  [/(^|_)(tx_hash|creation_tx|creation_tx_hash|hash_of_transaction)$/, "transaction"],
  [/(^|_)(token_address|token)$/, "token"],
  [/(^|_)(contract|contract_address|implementation|factory)$/, "contract"],
  [/(^|_)(address|from|to|peer|owner|spender|creator|deployer|actor|resolver|peer_address|funded)$/, "address"],
  [/(^|_)(symbol|name|title)$/, "strange"],
  [/(^|_)(label|entity|dex)$/, "label"],
  [/(_at|_seen|_interaction|^timestamp|^date|_until|frozen_since|observed_at)$/, "time"],
  [/(^|_)(evidence)$/, "evidence"],
  [/(^|_)(severity|risk_level|level)$/, "severity"],
  [/^(is|has|can|direct|ever|frozen|freeze|pause|upgradeable|seize|succeeded|listed|will)(_|$)/, "flag"],
  [/(_count|^count|_days|_hours|^page|block_number|checked_block|^nonce|_seconds|^total|hops|^depth|^index)$/, "count"],
  [/(amount|balance|supply|^price|score|weight|gini|hhi|value|points|percentile)/, "amount"],
];

/** The kind that a column's last name tells; a number of no known kind is a count, an amount where it has a fraction. */
export const kindOf = (path: string, value: unknown): DisplayKind => {
  const leaf = path.split(".").at(-1) ?? path;
  const told = BY_ENDING.find(([ending]) => ending.test(leaf))?.[1];
  if (typeof value === "boolean") return "flag";
  if (typeof value === "number") return told === "usd" || told === "percent" || told === "amount" ? told : "count";
  if (told !== undefined) return told;
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? "time" : "text";
};

/** Kinds that are right-aligned, so that digits line up. */
export const isNumeric = (kind: DisplayKind): boolean => ["usd", "percent", "amount", "count"].includes(kind);

/** Fields whose null says that there is none, and not that it is unknown: no factory, no lock with an end, no copied original, no freeze. */
const NONE_WHEN_NULL = /(^|\.)(factory|lock_until|canonical_address|frozen_since)$/;

export const isNoneWhenNull = (path: string): boolean => NONE_WHEN_NULL.test(path);
