-- Prices that calls about followed addresses need (docs/design/on_demand.md). The newest row of a token, hour and block counts. hour: its first
-- second. at_block: 0 for a whole hour, otherwise the block up to which the hour counts. Services write these rows, no indexer does.
CREATE TABLE IF NOT EXISTS price_wishes (
  network LowCardinality(String), token String, hour DateTime('UTC'), at_block UInt64, asked_by String, written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (network, hour, token, at_block)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- Their answers, in the columns of `prices`; the network's indexer alone writes them. none: no pool of a known factory gave a price. failed: the
-- node did not answer. since: unix seconds of the token's first pool if the hour contains it, otherwise 0. requests: to nodes for this row, counted for asked_by.
CREATE TABLE IF NOT EXISTS demanded_prices (
  network LowCardinality(String), token String, hour DateTime('UTC'), at_block UInt64,
  state Enum8('priced' = 1, 'none' = 2, 'failed' = 3), price_usd Float64, depth_usd Float64, cost_to_move_usd Float64,
  sell_reserve Float64, sell_payout_usd Float64, method LowCardinality(String), confidence Enum8('low' = 1, 'medium' = 2, 'high' = 3),
  since UInt32, asked_by String, requests UInt64, written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (network, hour, token, at_block)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
