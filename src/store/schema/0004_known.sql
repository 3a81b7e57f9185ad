-- Facts that belong to no indexed block: read from contracts, computed, or imported by the operator. One insert of the changes
-- replaces a list, so a reader sees the old list or the new one; a removed entry stays as a row that marks the removal.

-- Pools created outside the indexed blocks, read from the pool and confirmed by its factory.
CREATE TABLE IF NOT EXISTS pools_read (
  network LowCardinality(String), pool String, family LowCardinality(String), venue LowCardinality(String),
  factory String, token0 String, token1 String, fee_ppm UInt32, tick_spacing Int32
) ENGINE = ReplacingMergeTree ORDER BY (network, pool)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- Token metadata as the contract reports it. symbol_key: lower-case symbol, for look-ups by symbol. has_hidden: its name or symbol
-- contained characters that are not shown (lib/text.ts); the stored text has none.
CREATE TABLE IF NOT EXISTS tokens (
  network LowCardinality(String), token String, standard LowCardinality(String), name Nullable(String),
  symbol Nullable(String), symbol_key String MATERIALIZED lowerUTF8(ifNull(symbol, '')), decimals Nullable(UInt8),
  total_supply Nullable(UInt256), read_at_block UInt64,
  has_hidden Nullable(UInt8)
) ENGINE = ReplacingMergeTree(read_at_block) ORDER BY (network, token)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- USD prices of whole hours. hour: its first second. method: anchor, vwap, mid, last.
CREATE TABLE IF NOT EXISTS prices (
  network LowCardinality(String), token String, hour DateTime('UTC'), price_usd Float64, volume_usd Float64,
  depth_usd Float64, sell_reserve Float64, sell_payout_usd Float64, method LowCardinality(String), confidence Enum8('low' = 1, 'medium' = 2, 'high' = 3),
  version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (network, token, hour)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 2048;

-- Labels of addresses. One row per (address, source, label). valid_from: the label does not apply to earlier blocks (derived
-- labels). A label with category '' was removed.
CREATE TABLE IF NOT EXISTS labels (
  network LowCardinality(String), address String, source LowCardinality(String), label String,
  category LowCardinality(String), entity String, confidence Float32, evidence String,
  licence LowCardinality(String), published_on LowCardinality(String),
  valid_from DateTime('UTC'), written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (network, address, source, label)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- One row per list, with the version of its rows. Written after the rows.
CREATE TABLE IF NOT EXISTS lists (
  list String, kind Enum8('labels' = 1, 'sanctions' = 2, 'tokens' = 3), version String, format LowCardinality(String),
  origin String, licence String, published_on String, rows UInt64, is_removed UInt8, imported_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(imported_at) ORDER BY list
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- address: raw bytes where the family is known (evm, tron, solana), else its text under the family of its asset code.
-- Days are YYYY-MM-DD, '' = not stated. delisted_on: the entry is history.
CREATE TABLE IF NOT EXISTS sanctions (
  family LowCardinality(String), address String, list LowCardinality(String), asset_code LowCardinality(String),
  entity String, program String, listed_on String, delisted_on String, version String, is_removed UInt8,
  written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (family, address, list, asset_code)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- Tokens that a curated list names (the Uniswap token list standard).
CREATE TABLE IF NOT EXISTS listed_tokens (
  network LowCardinality(String), token String, list LowCardinality(String), symbol String, name String, decimals UInt8,
  logo_uri String, is_removed UInt8, written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (network, token, list)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- Addresses of which the operator shows no personal records.
CREATE TABLE IF NOT EXISTS suppressed (
  family LowCardinality(String), address String, reason String, is_removed UInt8, written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (family, address)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- Members of the cohorts that take a computation, one list per network, cohort and UTC day (`day`: whole days since
-- 1970; the list is as of its end). A list is one insert and never changes; its row with address '' marks the list as complete
-- and holds its length (`rank`). rules: version of the rules that made it.
CREATE TABLE IF NOT EXISTS cohorts_daily (
  network LowCardinality(String), cohort LowCardinality(String), day UInt32, address String, rank UInt32,
  closed_trades UInt32, tokens UInt32, win_rate_percent Float64, realized_usd Float64, cost_coverage_percent Float64,
  rules LowCardinality(String), block_number UInt64
) ENGINE = ReplacingMergeTree(block_number) ORDER BY (network, cohort, rules, day, address)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 2048;
