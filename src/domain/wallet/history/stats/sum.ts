import { sumOfKnown } from "../../../../lib/sums.ts";
import type { NetworkStats, OwnershipBreakdown, Stats } from "./report.ts";

/** One network's input of `totals`. */
export interface StatsPart {
  readonly stats: NetworkStats;
  readonly days: readonly number[];
  /** Symbol of the coin that pays fees. */
  readonly coin: string;
}

type NumberField = {
  [F in keyof Stats]: Stats[F] extends number ? F : never;
}[keyof Stats];
type UnknownField = "total_in_usd" | "total_out_usd" | "gas_spent_usd" | "swap_volume_usd" | "bridge_count";

const larger = (a: Stats["largest_in"], b: Stats["largest_in"]): Stats["largest_in"] => {
  if (a === null || b === null) return a ?? b;
  return b.usd_value > a.usd_value ? b : a;
};

const ofWhich = (parts: readonly StatsPart[]): OwnershipBreakdown => {
  const sum = (of: (part: OwnershipBreakdown) => number) =>
    parts.reduce((total, { stats }) => total + of(stats.of_which), 0);
  return {
    in: {
      mints_usd: sum((part) => part.in.mints_usd),
      wraps_usd: sum((part) => part.in.wraps_usd),
      rewards_usd: sum((part) => part.in.rewards_usd),
    },
    out: { burns_usd: sum((part) => part.out.burns_usd), wraps_usd: sum((part) => part.out.wraps_usd) },
  };
};

/** Sums of several networks. Different coins and the nonces of different networks have no sum: they are null. */
export const totals = (parts: readonly StatsPart[]): Stats => {
  const known = (field: UnknownField) => sumOfKnown(parts.map(({ stats }) => stats[field]));
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
    votes: sum("votes"),
    tx_received: sum("tx_received"),
    failed_tx: sum("failed_tx"),
    token_transfer_count: sum("token_transfer_count"),
    unique_counterparties: sum("unique_counterparties"),
    unique_contracts_called: sum("unique_contracts_called"),
    unique_tokens: sum("unique_tokens"),
    nft_transfer_count: sum("nft_transfer_count"),
    spam_transfers: sum("spam_transfers"),
    active_days: new Set(parts.flatMap(({ days }) => days)).size,
    first_seen: texts("first_seen")[0] ?? null,
    last_seen: texts("last_seen").at(-1) ?? null,
    age_days: ages.some((age) => age === null) ? null : Math.max(...ages.map((age) => age ?? 0)),
    total_in_usd: known("total_in_usd"),
    total_out_usd: known("total_out_usd"),
    of_which: ofWhich(parts),
    unpriced_transfers: sum("unpriced_transfers"),
    largest_in: parts.map(({ stats }) => stats.largest_in).reduce(larger, null),
    largest_out: parts.map(({ stats }) => stats.largest_out).reduce(larger, null),
    gas_spent_native: is_one_coin ? parts.reduce((total, { stats }) => total + (stats.gas_spent_native ?? 0), 0) : null,
    gas_spent_usd: known("gas_spent_usd"),
    swap_count: sum("swap_count"),
    swap_volume_usd: known("swap_volume_usd"),
    bridge_count: known("bridge_count"),
    contracts_deployed: sum("contracts_deployed"),
    nonce: only?.stats.nonce ?? null,
  };
};
