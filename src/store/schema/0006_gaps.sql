-- Blocks of a done segment without inner calls, as JSON [[from, to], ...]. '' with has_traces 0: the blocks are unknown,
-- and all blocks of the segment count as lacking them.
ALTER TABLE segments ADD COLUMN IF NOT EXISTS untraced String DEFAULT '';

-- Gaps of a network besides unread history (docs/design/exactly_once.md). The newest row of a range counts.
-- refused: verification refuses the block, and the blocks around it are indexed without it. traces: the range was read again to fill in
-- its inner calls, and prices and labels have not been derived from them yet.
-- open: the indexer requests it again after ask_at. accepted: an operator skipped it. closed: no longer a gap.
-- block_hash: hash in the node's block header; '' = not known. endpoints: number of endpoints queried.
CREATE TABLE IF NOT EXISTS recorded_gaps (
  network LowCardinality(String), kind Enum8('traces' = 1, 'refused' = 2), from_block UInt64, to_block UInt64,
  state Enum8('open' = 1, 'accepted' = 2, 'closed' = 3), check_name String, reason String, block_hash String, endpoints UInt32,
  attempts UInt32, first_asked_at DateTime64(3, 'UTC'), last_asked_at DateTime64(3, 'UTC'), ask_at DateTime64(3, 'UTC'),
  written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (network, kind, from_block, to_block)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
