-- What this store is, and what it holds of each network.
-- Addresses and hashes are raw bytes everywhere. token '' = native coin, holder '' = the void (mint, burn, burnt fee).
-- Every statement may be run again: a start that was cut in the middle of a migration repeats it.

-- is_opened: no block lies before from_block, or what was held there was read.
CREATE TABLE IF NOT EXISTS networks (
  network LowCardinality(String), chain_id UInt64, from_block UInt64, from_hash String, is_opened UInt8,
  written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY network
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- Which final blocks have been written. A segment is `begun` before its first insert and `done` after its last; a `begun` row
-- after a `done` one takes it back: it is compared and written again. verified: what of its blocks was recomputed from their
-- hashes (lib/verified.ts). sums: rows and order-free hash of each table of the record when it was done, as JSON.
CREATE TABLE IF NOT EXISTS segments (
  network LowCardinality(String), from_block UInt64, to_block UInt64, to_hash String,
  state Enum8('begun' = 1, 'done' = 2), has_traces UInt8,
  verified Enum8('none' = 0, 'receipts' = 1, 'full' = 2), sums String, written_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (network, from_block, to_block)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- Each time the unfinalised tail is cut, before and after: a question that ran meanwhile is asked again.
CREATE TABLE IF NOT EXISTS tail_drops (
  network LowCardinality(String), from_block UInt64, written_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY network;

-- Damaged parts whose loss was looked for and mended.
CREATE TABLE IF NOT EXISTS parts_mended (
  network LowCardinality(String), part String, written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (network, part)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- Names this store wherever several stores could be meant. One row; of two that were made at once the smaller one counts.
CREATE TABLE IF NOT EXISTS facts_identity (id String) ENGINE = MergeTree ORDER BY id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

INSERT INTO facts_identity (id) SELECT toString(generateUUIDv4()) WHERE (SELECT count() FROM facts_identity) = 0;

-- Who was given the right to write a network's facts (docs/design/exactly_once.md), one row each time. What an indexer writes carries its epoch and its
-- holder's name, and is refused unless they are the newest here.
CREATE TABLE IF NOT EXISTS index_epochs (
  network LowCardinality(String), epoch UInt64, holder String, host String, pid UInt64, written_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (network, epoch, holder)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- Which coins the indexer listens to, and how. blind_to: the last final block that was written before it did (0 = none):
-- events up to there are missing. families '': no longer listened to.
CREATE TABLE IF NOT EXISTS freeze_watches (
  network LowCardinality(String), token String, families String, blind_to UInt64, written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (network, token)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
