-- What the operator has imported. None of it belongs to a block: no pairs of halves. A list is replaced by one insert of
-- what changed, so a reader sees the old list or the new one; what was taken back stays as a row that says so.

-- valid_from: earlier blocks do not know the label (labels that the index derives). A label with category '' was taken back.
ALTER TABLE labels ADD COLUMN IF NOT EXISTS valid_from DateTime('UTC') DEFAULT 0;

-- One row per list: the version that its rows are of. Written after the rows.
CREATE TABLE IF NOT EXISTS lists (
  list String, kind Enum8('labels' = 1, 'sanctions' = 2, 'tokens' = 3), version String, format LowCardinality(String),
  origin String, licence String, published_on String, rows UInt64, is_removed UInt8, imported_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(imported_at) ORDER BY list
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

-- address: raw bytes where the family is known (evm, tron, solana), else its text under the family of its asset code.
-- Days are YYYY-MM-DD, '' = not said. delisted_on: the entry is history.
CREATE TABLE IF NOT EXISTS sanctions (
  family LowCardinality(String), address String, list LowCardinality(String), asset_code LowCardinality(String),
  entity String, program String, listed_on String, delisted_on String, version String, is_removed UInt8,
  written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (family, address, list, asset_code)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

-- Tokens that a curated list names (the Uniswap token list standard).
CREATE TABLE IF NOT EXISTS listed_tokens (
  network LowCardinality(String), token String, list LowCardinality(String), symbol String, name String, decimals UInt8,
  logo_uri String, is_removed UInt8, written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (network, token, list)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

-- Addresses of which the operator shows no personal records.
CREATE TABLE IF NOT EXISTS suppressed (
  family LowCardinality(String), address String, reason String, is_removed UInt8, written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (family, address)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;
