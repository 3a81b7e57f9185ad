-- Facts of every network. Storage comes in pairs: `<name>_final` holds blocks that cannot change any more and is fed
-- exactly once (deduplication tokens); `<name>_head` holds the unfinalised tail in partitions of 32 blocks, which are
-- dropped when the tail is reorganised or has become final. Questions read both through the Merge table `<name>` with
--   (_table = '<name>_final') = (block_number <= {final_block:UInt64})
-- Addresses and hashes are raw bytes. token '' = native coin, holder '' = the void (mint, burn, burnt fee).
-- Every statement may be run again: a start that was cut in the middle of a migration repeats it.

CREATE TABLE IF NOT EXISTS networks (
  network LowCardinality(String), chain_id UInt64, from_block UInt64, from_hash String, written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY network
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

-- What has been written to the final tables. A segment is `begun` before its first insert and `done` after its last.
CREATE TABLE IF NOT EXISTS segments (
  network LowCardinality(String), from_block UInt64, to_block UInt64, to_hash String,
  state Enum8('begun' = 1, 'done' = 2), has_traces UInt8, written_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (network, from_block, to_block)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

-- Each time the unfinalised tail is cut, before and after: a question that ran meanwhile is asked again.
CREATE TABLE IF NOT EXISTS tail_drops (
  network LowCardinality(String), from_block UInt64, written_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY network;

CREATE TABLE IF NOT EXISTS blocks_final (
  network LowCardinality(String), block_number UInt64 CODEC(Delta, LZ4), hash String, parent_hash String,
  time DateTime('UTC') CODEC(Delta, LZ4), producer String, transaction_count UInt32, has_traces UInt8,
  INDEX by_time time TYPE minmax GRANULARITY 1
) ENGINE = MergeTree ORDER BY (network, block_number)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1;

CREATE TABLE IF NOT EXISTS transactions_final (
  network LowCardinality(String), block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32, hash String,
  time DateTime('UTC') CODEC(Delta, LZ4), sender String, recipient String, value UInt256, fee UInt256, gas_used UInt64,
  nonce UInt64, succeeded UInt8, selector String, created String
) ENGINE = MergeTree ORDER BY (network, block_number, tx_index)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 2048;

-- Where a transaction hash stands.
CREATE TABLE IF NOT EXISTS transaction_places_final (
  network LowCardinality(String), hash String, block_number UInt64, tx_index UInt32
) ENGINE = MergeTree ORDER BY (network, hash)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 2048;

-- One value movement. position orders inside a transaction: 0 its own value, 1.. inner calls in order,
-- 1048576 + log index for logs, 4294967294 tip, 4294967295 fee. Block issuance stands at tx_index 4294967295.
CREATE TABLE IF NOT EXISTS transfers_final (
  network LowCardinality(String), block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32, position UInt32,
  time DateTime('UTC') CODEC(Delta, LZ4), tx_hash String,
  kind Enum8('native' = 1, 'internal' = 2, 'erc20' = 3, 'erc721' = 4, 'erc1155' = 5, 'wrap' = 6, 'fee' = 7, 'tip' = 8,
             'reward' = 9, 'withdrawal' = 10, 'spl' = 11, 'trc20' = 12, 'trc10' = 13),
  token String, token_id UInt256, source String, destination String, amount UInt256, sender String
) ENGINE = MergeTree ORDER BY (network, block_number, tx_index, position)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 2048;

-- Two rows per transfer, one per side that is an address: wallet questions. direction 1 in, -1 out.
CREATE TABLE IF NOT EXISTS ledger_final (
  network LowCardinality(String), address String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32,
  position UInt32, direction Int8, time DateTime('UTC') CODEC(Delta, LZ4), tx_hash String,
  kind Enum8('native' = 1, 'internal' = 2, 'erc20' = 3, 'erc721' = 4, 'erc1155' = 5, 'wrap' = 6, 'fee' = 7, 'tip' = 8,
             'reward' = 9, 'withdrawal' = 10, 'spl' = 11, 'trc20' = 12, 'trc10' = 13),
  token String, token_id UInt256, peer String, amount UInt256, sender String
) ENGINE = MergeTree ORDER BY (network, address, block_number, tx_index, position, direction)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 2048;

-- The same by token: flows, and holders at an earlier block.
CREATE TABLE IF NOT EXISTS token_ledger_final (
  network LowCardinality(String), token String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32, position UInt32,
  time DateTime('UTC') CODEC(Delta, LZ4), source String, destination String, amount UInt256
) ENGINE = MergeTree ORDER BY (network, token, block_number, tx_index, position)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 2048;

-- Summed deltas of all done segments and of the one being written. Each segment is one atomic insert that carries a
-- marker row (token '', holder '', last_block = its end), so that one read sees sums and the block they reach.
CREATE TABLE IF NOT EXISTS balances (
  network LowCardinality(String), token String, holder String,
  amount SimpleAggregateFunction(sum, Int256), transfers SimpleAggregateFunction(sum, UInt64),
  first_block SimpleAggregateFunction(min, UInt64), last_block SimpleAggregateFunction(max, UInt64)
) ENGINE = AggregatingMergeTree ORDER BY (network, token, holder)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 2048;

CREATE TABLE IF NOT EXISTS balances_by_holder (
  network LowCardinality(String), holder String, token String,
  amount SimpleAggregateFunction(sum, Int256), transfers SimpleAggregateFunction(sum, UInt64),
  first_block SimpleAggregateFunction(min, UInt64), last_block SimpleAggregateFunction(max, UInt64)
) ENGINE = AggregatingMergeTree ORDER BY (network, holder, token)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 2048;

-- What an address held before the first indexed block (read from the node, the same at every reading).
CREATE TABLE IF NOT EXISTS openings (
  network LowCardinality(String), holder String, token String, amount UInt256, block_number UInt64
) ENGINE = ReplacingMergeTree ORDER BY (network, holder, token)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 2048;

CREATE TABLE IF NOT EXISTS openings_by_token (
  network LowCardinality(String), token String, holder String, amount UInt256, block_number UInt64
) ENGINE = ReplacingMergeTree ORDER BY (network, token, holder)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 2048;

-- amount0, amount1: change of the pool's own reserves (positive = the pool received).
CREATE TABLE IF NOT EXISTS swaps_final (
  network LowCardinality(String), pool String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32, log_index UInt32,
  time DateTime('UTC') CODEC(Delta, LZ4), tx_hash String, caller String, recipient String, trader String,
  amount0 Int256, amount1 Int256
) ENGINE = MergeTree ORDER BY (network, pool, block_number, log_index)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 2048;

-- State of a pool after an event. Constant-product pools fill the reserves, concentrated ones sqrt_price_x96,
-- liquidity and tick; the other side is 0.
CREATE TABLE IF NOT EXISTS pool_states_final (
  network LowCardinality(String), pool String, block_number UInt64 CODEC(Delta, LZ4), log_index UInt32,
  time DateTime('UTC') CODEC(Delta, LZ4), reserve0 UInt256, reserve1 UInt256, sqrt_price_x96 UInt256,
  liquidity UInt256, tick Int32
) ENGINE = MergeTree ORDER BY (network, pool, block_number, log_index)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 2048;

CREATE TABLE IF NOT EXISTS liquidity_events_final (
  network LowCardinality(String), pool String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32, log_index UInt32,
  time DateTime('UTC') CODEC(Delta, LZ4), tx_hash String,
  kind Enum8('mint' = 1, 'burn' = 2, 'collect' = 3), owner String, actor String,
  amount0 UInt256, amount1 UInt256, liquidity UInt256, tick_lower Int32, tick_upper Int32
) ENGINE = MergeTree ORDER BY (network, pool, block_number, log_index)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1;

-- A pool as its factory announced it. venue = row of protocols/venues.ts; '' = the factory is not in the list.
CREATE TABLE IF NOT EXISTS pools_final (
  network LowCardinality(String), pool String, family LowCardinality(String), venue LowCardinality(String),
  factory String, token0 String, token1 String, fee_ppm UInt32, tick_spacing Int32,
  block_number UInt64, tx_index UInt32, log_index UInt32, time DateTime('UTC'), tx_hash String, creator String
) ENGINE = MergeTree ORDER BY (network, pool, block_number, log_index)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1;

-- Pools whose creation lies outside the indexed blocks, read from the pool and confirmed by its factory.
CREATE TABLE IF NOT EXISTS pools_read (
  network LowCardinality(String), pool String, family LowCardinality(String), venue LowCardinality(String),
  factory String, token0 String, token1 String, fee_ppm UInt32, tick_spacing Int32
) ENGINE = ReplacingMergeTree ORDER BY (network, pool)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

CREATE TABLE IF NOT EXISTS approvals_final (
  network LowCardinality(String), owner String, token String, spender String, block_number UInt64 CODEC(Delta, LZ4),
  tx_index UInt32, log_index UInt32, time DateTime('UTC') CODEC(Delta, LZ4), tx_hash String,
  kind Enum8('erc20' = 1, 'erc721' = 2, 'for_all' = 3), amount UInt256
) ENGINE = MergeTree ORDER BY (network, owner, token, spender, block_number, log_index)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1;

CREATE TABLE IF NOT EXISTS ownership_events_final (
  network LowCardinality(String), contract String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32,
  log_index UInt32, time DateTime('UTC') CODEC(Delta, LZ4), tx_hash String,
  kind Enum8('ownership' = 1, 'implementation' = 2, 'admin' = 3, 'beacon' = 4), previous String, current String
) ENGINE = MergeTree ORDER BY (network, contract, block_number, log_index)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1;

-- creator: sender of the transaction. factory: the contract that ran CREATE, '' when the transaction itself did.
CREATE TABLE IF NOT EXISTS contracts_final (
  network LowCardinality(String), address String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32,
  position UInt32, time DateTime('UTC') CODEC(Delta, LZ4), tx_hash String,
  event Enum8('created' = 1, 'destroyed' = 2), method Enum8('none' = 0, 'create' = 1, 'create2' = 2),
  creator String, factory String, init_hash String, code_hash String
) ENGINE = MergeTree ORDER BY (network, address, block_number, tx_index, position)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1;

CREATE TABLE IF NOT EXISTS deployments_final (
  network LowCardinality(String), creator String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32,
  position UInt32, time DateTime('UTC') CODEC(Delta, LZ4), tx_hash String, address String,
  method Enum8('none' = 0, 'create' = 1, 'create2' = 2), factory String, code_hash String
) ENGINE = MergeTree ORDER BY (network, creator, block_number, tx_index, position)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1;

-- Token metadata as the contract told it. symbol_key: lower-case symbol, for look-ups by symbol.
CREATE TABLE IF NOT EXISTS tokens (
  network LowCardinality(String), token String, standard LowCardinality(String), name Nullable(String),
  symbol Nullable(String), symbol_key String MATERIALIZED lowerUTF8(ifNull(symbol, '')), decimals Nullable(UInt8),
  total_supply Nullable(UInt256), read_at_block UInt64
) ENGINE = ReplacingMergeTree(read_at_block) ORDER BY (network, token)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

-- USD prices of whole hours (03, 2.2). hour: its first second. method: anchor, vwap, mid, last.
CREATE TABLE IF NOT EXISTS prices (
  network LowCardinality(String), token String, hour DateTime('UTC'), price_usd Float64, volume_usd Float64,
  depth_usd Float64, method LowCardinality(String), confidence Enum8('low' = 1, 'medium' = 2, 'high' = 3),
  version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (network, token, hour)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 2048;

-- Who is who. One row per (address, source, label).
CREATE TABLE IF NOT EXISTS labels (
  network LowCardinality(String), address String, source LowCardinality(String), label String,
  category LowCardinality(String), entity String, confidence Float32, evidence String, written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (network, address, source, label)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;
