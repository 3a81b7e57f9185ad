import type { TableName } from "../writer.ts";

/**
 * Where the rows of a table lie when the store is a cluster of servers. One server holds all of them and asks nothing of this.
 */
export type TablePlacement =
  /** Every server has a copy of its own. */
  | "everywhere"
  /** Only on the first shard: one record of the writers and their progress. */
  | "first"
  /** Shared out by the hash of these. A key is never changed: rows lie where it has put them. */
  | { readonly by: readonly string[] };

/** So many blocks of a network lie together. */
const BLOCKS_TOGETHER = 128;

const by = (...columns: readonly string[]): TablePlacement => ({ by: ["network", ...columns] });
const byBlocks = by(`intDiv(block_number, ${BLOCKS_TOGETHER})`);

/** The tables of the schema, each with its lookup key. */
export const LAYOUT: Readonly<Record<TableName | "migrations", TablePlacement>> = {
  blocks: byBlocks,
  transactions: byBlocks,
  transfers: byBlocks,
  transaction_places: by("hash_prefix"),

  ledger: by("address"),
  first_funding: by("address"),
  approvals: by("owner"),
  deployments: by("creator"),
  position_events: by("subject"),

  token_ledger: by("token"),
  mass_transfers: by("token"),
  freeze_events: by("token"),
  swaps: by("pool"),
  pool_states: by("pool"),
  liquidity_events: by("pool"),
  pools: by("pool"),
  contracts: by("address"),
  ownership_events: by("contract"),

  // Sums and the marker that says how far they reach are read together, as of one moment: that is one server's own.
  balances: "everywhere",
  balances_by_holder: "everywhere",
  openings: "everywhere",
  openings_by_token: "everywhere",

  labels: "everywhere",
  lists: "everywhere",
  listed_domains: "everywhere",
  listed_tokens: "everywhere",
  sanctions: "everywhere",
  suppressed: "everywhere",
  tokens: "everywhere",
  token_readings: "everywhere",
  prices: "everywhere",
  pools_read: "everywhere",
  cohorts_daily: "everywhere",

  migrations: "first",
  facts_identity: "first",
  index_epochs: "first",
  networks: "first",
  segments: "first",
  batches: "first",
  subjects: "first",
  subject_blocks: "first",
  demanded_prices: "first",
  price_wishes: "first",
  subject_wishes: "first",
  wished_blocks: "first",
  recorded_gaps: "first",
  tail_drops: "first",
  freeze_watches: "first",
  parts_mended: "first",
};

/** Null where a name is not a table of the schema: rows on their way, which are one server's own. */
export const layoutOf = (table: string): TablePlacement | null =>
  // A name of LAYOUT is one of its keys.
  table in LAYOUT ? LAYOUT[table as keyof typeof LAYOUT] : null;

/** The number by which a row's shard is found; null where every server has all rows. */
export const shardingKey = (layout: TablePlacement): string | null => {
  if (layout === "everywhere") return null;
  return layout === "first" ? "0" : `cityHash64(${layout.by.join(", ")})`;
};
