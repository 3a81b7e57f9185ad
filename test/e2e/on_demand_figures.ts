/** The parts of answers that are equal on demand and on a whole index. */

/**
 * Differences that are expected: the block and the coverage of an answer, freezes, and what follows from labels that are derived from a whole network
 * (patterns show labelled protocols, and what was detected with them).
 */
const OTHER: readonly string[] = [
  ...["metadata", "is_frozen", "label", "label_source", "category", "tags", "entity", "risk_tags"],
  ...["labeled_counterparties", "labeled_count", "sent_to_exchange_amount", "top_protocols", "detected"],
];

/** An answer without these fields; lists in one order. */
export const without = (names: readonly string[], value: unknown): unknown => {
  if (Array.isArray(value)) {
    const list = value.map((one) => without(names, one));
    return list.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept.map(([name, own]) => [name, without(names, own)]));
};

/** An answer without the expected differences and without the fields `also`. */
export const comparable = (value: unknown, also: readonly string[] = []): unknown =>
  without([...OTHER, ...also], value);

export const WALLET_TOOLS = [
  ["get_wallet_transactions", "address"],
  ["get_wallet_token_holdings", "wallet_address"],
  ["get_wallet_counterparties", "address"],
  ["get_wallet_pnl", "address"],
  ["get_wallet_stats", "address"],
  ["get_wallet_transaction_patterns", "address"],
  ["get_wallet_portfolio_breakdown", "wallet_address"],
] as const;
