-- Identity of the store and state of each network.
-- Addresses and hashes are raw bytes everywhere. token '' = native coin, holder '' = the void (mint, burn, burnt fee).
-- Every statement may be run again: the next start repeats an interrupted migration.

-- is_opened: no block exists before from_block, or the balances before it were read.
CREATE TABLE IF NOT EXISTS networks (
  network LowCardinality(String), chain_id UInt64, from_block UInt64, from_hash String, is_opened UInt8,
  written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY network
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- Written segments of final blocks. A segment is `begun` before its first insert and `done` after its last; a `begun` row
-- after a `done` one reopens it: it is compared and written again. verified: the part of its blocks that was recomputed from their
-- hashes (lib/verified.ts). sums: rows and order-free hash of each table of the record when it was done, as JSON.
CREATE TABLE IF NOT EXISTS segments (
  network LowCardinality(String), from_block UInt64, to_block UInt64, to_hash String,
  state Enum8('begun' = 1, 'done' = 2), has_traces UInt8,
  verified Enum8('none' = 0, 'receipts' = 1, 'full' = 2), sums String, written_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (network, from_block, to_block)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- One row before and one after each cut of the unfinalised tail: a query that ran meanwhile is repeated.
CREATE TABLE IF NOT EXISTS tail_drops (
  network LowCardinality(String), from_block UInt64, written_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY network;

-- Damaged parts whose missing rows were found and written again.
CREATE TABLE IF NOT EXISTS parts_mended (
  network LowCardinality(String), part String, written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (network, part)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- Id that distinguishes this store from others. One row; when two processes insert one at the same time, the smaller id counts.
CREATE TABLE IF NOT EXISTS facts_identity (id String) ENGINE = MergeTree ORDER BY id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

INSERT INTO facts_identity (id) SELECT toString(generateUUIDv4()) WHERE (SELECT count() FROM facts_identity) = 0;

-- Grants of the right to write a network's facts (docs/design/exactly_once.md), one row each. Every write of an indexer carries its epoch and its
-- holder's name, and is refused unless they are the newest here.
CREATE TABLE IF NOT EXISTS index_epochs (
  network LowCardinality(String), epoch UInt64, holder String, host String, pid UInt64, written_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (network, epoch, holder)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- Coins whose freeze events the indexer records, and how. blind_to: the last final block written before it did (0 = none);
-- events up to that block are missing. families '': no longer recorded.
CREATE TABLE IF NOT EXISTS freeze_watches (
  network LowCardinality(String), token String, families String, blind_to UInt64, written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (network, token)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
