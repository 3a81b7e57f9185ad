-- What happened to positions that are no plain balance: vault shares, loans, liquidity held by an NFT.
-- subject: the account (20 bytes), or contract and decimal token id of the NFT that holds the position.
-- pool: of an NFT's liquidity. asset: the reserve of a loan. amount0: assets, or the pool's first token.
CREATE TABLE IF NOT EXISTS position_events_final (
  network LowCardinality(String), subject String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32, log_index UInt32,
  time DateTime('UTC') CODEC(Delta, LZ4), tx_hash String,
  kind Enum8('vault_deposit' = 1, 'vault_withdraw' = 2, 'lend' = 3, 'unlend' = 4, 'borrow' = 5, 'repay' = 6,
             'increase' = 7, 'decrease' = 8, 'collect' = 9),
  contract String, pool String, asset String, amount0 UInt256, amount1 UInt256, liquidity UInt256
) ENGINE = MergeTree ORDER BY (network, subject, block_number, log_index)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 2048;

CREATE TABLE IF NOT EXISTS position_events_head AS position_events_final
ENGINE = MergeTree PARTITION BY (network, intDiv(block_number, 32)) ORDER BY (network, subject, block_number, log_index);

INSERT INTO position_events_head (network) SELECT '' WHERE (SELECT count() FROM position_events_head WHERE network = '') = 0;

CREATE TABLE IF NOT EXISTS position_events AS position_events_final ENGINE = Merge(currentDatabase(), '^position_events_(final|head)$');
