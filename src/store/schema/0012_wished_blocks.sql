-- Blocks that a network which is read on demand shall hold, for calls about their transactions (docs/design/on_demand.md). asked_by: the
-- account that asked. Services write these rows, no indexer does.
CREATE TABLE IF NOT EXISTS wished_blocks (
  network LowCardinality(String), block_number UInt64, asked_by String, written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (network, block_number)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
