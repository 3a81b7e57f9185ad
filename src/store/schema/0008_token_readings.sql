-- Metadata that a token reported at a block, for tokens whose metadata changed: the reading before a change and the one after it.
-- A token that never changed has only its row of `tokens`. cause: the occasion of the reading (first, upgrade, schedule, mismatch).
CREATE TABLE IF NOT EXISTS token_readings (
  network LowCardinality(String), token String, read_at_block UInt64, name Nullable(String),
  symbol Nullable(String), symbol_key String MATERIALIZED lowerUTF8(ifNull(symbol, '')), decimals Nullable(UInt8),
  has_hidden UInt8, cause LowCardinality(String)
) ENGINE = ReplacingMergeTree ORDER BY (network, token, read_at_block)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
