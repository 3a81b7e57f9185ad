-- Summed deltas of all done segments and of the one being written. Each segment is one atomic insert that carries a
-- marker row (token '', holder '', last_block = its end), so that one read sees sums and the block they reach.
-- high: the sum of each amount's part above 128 bits; amount wraps, and both together give the true sum (lib/wide.ts).
CREATE TABLE IF NOT EXISTS balances (
  network LowCardinality(String), token String, holder String,
  amount SimpleAggregateFunction(sum, Int256), high SimpleAggregateFunction(sum, Int256),
  transfers SimpleAggregateFunction(sum, UInt64),
  first_block SimpleAggregateFunction(min, UInt64), last_block SimpleAggregateFunction(max, UInt64)
) ENGINE = AggregatingMergeTree ORDER BY (network, token, holder)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 2048,
  max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;

CREATE TABLE IF NOT EXISTS balances_by_holder (
  network LowCardinality(String), holder String, token String,
  amount SimpleAggregateFunction(sum, Int256), high SimpleAggregateFunction(sum, Int256),
  transfers SimpleAggregateFunction(sum, UInt64),
  first_block SimpleAggregateFunction(min, UInt64), last_block SimpleAggregateFunction(max, UInt64)
) ENGINE = AggregatingMergeTree ORDER BY (network, holder, token)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 2048,
  max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;

-- Balances of addresses before the first indexed block (read from the node; every reading returns the same).
CREATE TABLE IF NOT EXISTS openings (
  network LowCardinality(String), holder String, token String, amount UInt256, block_number UInt64
) ENGINE = ReplacingMergeTree ORDER BY (network, holder, token)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 2048;

CREATE TABLE IF NOT EXISTS openings_by_token (
  network LowCardinality(String), token String, holder String, amount UInt256, block_number UInt64
) ENGINE = ReplacingMergeTree ORDER BY (network, token, holder)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 2048;

CREATE MATERIALIZED VIEW IF NOT EXISTS feed_openings_by_token TO openings_by_token AS
SELECT network, token, holder, amount, block_number FROM openings;
