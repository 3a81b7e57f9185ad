import type { NetworkStats, Stats } from "./report.ts";

/** What `totals` needs of one network. */
export interface Part {
  readonly stats: NetworkStats;
  readonly days: readonly number[];
  /** Symbol of the coin that fees are paid in. */
  readonly coin: string;
}

type NumberField = {
  [F in keyof Stats]: Stats[F] extends number ? F : never;
}[keyof Stats];
type UnknownField = "total_in_usd" | "total_out_usd" | "gas_spent_usd" | "swap_volume_usd" | "bridge_count";

/** Sum of what is known; null when there is something and none of it is known. */
const sumKnown = (parts: readonly Part[], field: UnknownField): number | null => {
  const known = parts.map(({ stats }) => stats[field]).filter((value) => value !== null);
  return known.length === 0 && parts.length > 0 ? null : known.reduce((sum, value) => sum + value, 0);
};

const larger = (a: Stats["largest_in"], b: Stats["largest_in"]): Stats["largest_in"] => {
  if (a === null || b === null) return a ?? b;
  return b.usd_value > a.usd_value ? b : a;
};

/** Networks together. Different coins and the nonces of different networks have no sum: they are null. */
export const totals = (parts: readonly Part[]): Stats => {
  const sum = (field: NumberField) => parts.reduce((total, { stats }) => total + stats[field], 0);
  const texts = (field: "first_seen" | "last_seen") =>
    parts
      .map(({ stats }) => stats[field])
      .filter((text) => text !== null)
      .sort();
  const ages = parts.map(({ stats }) => stats.age_days);
  const [only] = parts.length === 1 ? parts : [];
  const is_one_coin = new Set(parts.map(({ coin }) => coin)).size === 1;
  return {
    tx_count: sum("tx_count"),
    tx_sent: sum("tx_sent"),
    tx_received: sum("tx_received"),
    failed_tx: sum("failed_tx"),
    token_transfer_count: sum("token_transfer_count"),
    unique_counterparties: sum("unique_counterparties"),
    unique_contracts_called: sum("unique_contracts_called"),
    unique_tokens: sum("unique_tokens"),
    nft_transfer_count: sum("nft_transfer_count"),
    active_days: new Set(parts.flatMap(({ days }) => days)).size,
    first_seen: texts("first_seen")[0] ?? null,
    last_seen: texts("last_seen").at(-1) ?? null,
    age_days: ages.some((age) => age === null) ? null : Math.max(...ages.map((age) => age ?? 0)),
    total_in_usd: sumKnown(parts, "total_in_usd"),
    total_out_usd: sumKnown(parts, "total_out_usd"),
    unpriced_transfers: sum("unpriced_transfers"),
    largest_in: parts.map(({ stats }) => stats.largest_in).reduce(larger, null),
    largest_out: parts.map(({ stats }) => stats.largest_out).reduce(larger, null),
    gas_spent_native: is_one_coin ? parts.reduce((total, { stats }) => total + (stats.gas_spent_native ?? 0), 0) : null,
    gas_spent_usd: sumKnown(parts, "gas_spent_usd"),
    swap_count: sum("swap_count"),
    swap_volume_usd: sumKnown(parts, "swap_volume_usd"),
    bridge_count: sumKnown(parts, "bridge_count"),
    contracts_deployed: sum("contracts_deployed"),
    nonce: only?.stats.nonce ?? null,
  };
};
