/** The parts of answers that are equal on demand and on a whole index. */

import type { EvmWorld } from "../../src/demo/evm/world.ts";

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

/** The search of an account with code proves no history. */
const OF_CODE: readonly string[] = ["is_complete", "age_days", "unavailable"];
/** On demand nothing shows how a token ended. It is unpriced instead of worthless. */
const OF_OUTCOME: readonly string[] = [
  ...["outcome", "outcome_reason", "unpriced_tokens", "current_value_usd", "total_usd", "unrealized_usd"],
  ...["uncosted_value_usd", "unavailable"],
];

/** Fields that stay open if the whole index answers with `text`. */
export const openOutcomes = (text: string): readonly string[] => (text.includes('"outcome":"') ? OF_OUTCOME : []);

/** Fields that a node's states leave open for this address, if the whole index answers with `text`. */
export const leftOpen = async ({ rpc }: Pick<EvmWorld, "rpc">, address: string, text: string) => {
  const has_code = (await rpc.call("eth_getCode", address, "latest")) !== "0x";
  return [...(has_code ? OF_CODE : []), ...openOutcomes(text)];
};

export const WALLET_TOOLS = [
  ["get_wallet_transactions", "address"],
  ["get_wallet_token_holdings", "wallet_address"],
  ["get_wallet_counterparties", "address"],
  ["get_wallet_pnl", "address"],
  ["get_wallet_stats", "address"],
  ["get_wallet_transaction_patterns", "address"],
  ["get_wallet_portfolio_breakdown", "wallet_address"],
] as const;
