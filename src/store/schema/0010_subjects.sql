-- Addresses that a network which is read on demand shall follow (docs/design/on_demand.md). The newest row of an address counts.
-- asked_by: the account that asked, '' = the operator. Services and commands write these rows, no indexer does.
CREATE TABLE IF NOT EXISTS subject_wishes (
  network LowCardinality(String), subject String, wish Enum8('track' = 1, 'untrack' = 2), asked_by String,
  written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (network, subject)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- How far the history of an address is read. The newest row counts; the network's indexer alone writes it.
-- read: every block of from_block..to_block that concerns the address is stored. to_hash, to_time: of block to_block. wished_at: the wish that
-- it follows. is_plain: the address has no code, so that nonce and balance prove the search. is_balanced: its movements add up to the node's
-- balance. untraced: its blocks without inner calls, as JSON [[from, to], ...]. found, fetched: blocks. requests: calls to the node.
CREATE TABLE IF NOT EXISTS subjects (
  network LowCardinality(String), subject String, state Enum8('searching' = 1, 'reading' = 2, 'read' = 3, 'failed' = 4, 'left' = 5),
  from_block UInt64, to_block UInt64, to_hash String, to_time DateTime('UTC'), wished_at DateTime64(3, 'UTC'), is_plain UInt8,
  is_balanced UInt8, verified Enum8('none' = 0, 'receipts' = 1, 'full' = 2), untraced String, found UInt64, fetched UInt64,
  requests UInt64, problem String, written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (network, subject)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- The blocks that concern an address.
CREATE TABLE IF NOT EXISTS subject_blocks (
  network LowCardinality(String), subject String, block_number UInt64
) ENGINE = ReplacingMergeTree ORDER BY (network, subject, block_number)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- Blocks of such a network that were written together, as segments are of a network that is indexed whole: no block is in two batches.
-- blocks: their numbers, as a JSON array; from_block, to_block: the first and the last of them.
CREATE TABLE IF NOT EXISTS batches (
  network LowCardinality(String), from_block UInt64, to_block UInt64, blocks String, state Enum8('begun' = 1, 'done' = 2),
  sums String, written_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (network, from_block, to_block)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
