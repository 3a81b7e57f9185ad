-- Final facts are written exactly once by looking at what is there (docs/decisions/0036), not by the engine's list of
-- tokens: that list is written before the rows and is never synced. Layouts are written one by one, not by views.
DROP VIEW IF EXISTS feed_transaction_places_final;
DROP VIEW IF EXISTS feed_ledger_final;
DROP VIEW IF EXISTS feed_token_ledger_final;
DROP VIEW IF EXISTS feed_deployments_final;
DROP VIEW IF EXISTS feed_balances_by_holder;

-- sums: rows and order-free hash of each table of the record when the segment was done, as JSON; '' = written before
-- there was this column. A `begun` row after a `done` one takes the segment back: it is compared and written again.
ALTER TABLE segments ADD COLUMN IF NOT EXISTS sums String;

-- Damaged parts whose loss was looked for and mended.
CREATE TABLE IF NOT EXISTS parts_mended (
  network LowCardinality(String), part String, written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (network, part)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- Merged parts are synced before the parts they replace go. A damaged part never keeps the store from opening: what it
-- held is found missing and written again. by_block finds the rows of a segment in tables of another order.
ALTER TABLE blocks_final
  MODIFY SETTING non_replicated_deduplication_window = 0, min_rows_to_fsync_after_merge = 1,
    max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;
ALTER TABLE transactions_final
  MODIFY SETTING non_replicated_deduplication_window = 0, min_rows_to_fsync_after_merge = 1,
    max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;
ALTER TABLE transaction_places_final
  ADD INDEX IF NOT EXISTS by_block block_number TYPE minmax GRANULARITY 8,
  MODIFY SETTING non_replicated_deduplication_window = 0, min_rows_to_fsync_after_merge = 1,
    max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;
ALTER TABLE transfers_final
  MODIFY SETTING non_replicated_deduplication_window = 0, min_rows_to_fsync_after_merge = 1,
    max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;
ALTER TABLE ledger_final
  ADD INDEX IF NOT EXISTS by_block block_number TYPE minmax GRANULARITY 8,
  MODIFY SETTING non_replicated_deduplication_window = 0, min_rows_to_fsync_after_merge = 1,
    max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;
ALTER TABLE token_ledger_final
  ADD INDEX IF NOT EXISTS by_block block_number TYPE minmax GRANULARITY 8,
  MODIFY SETTING non_replicated_deduplication_window = 0, min_rows_to_fsync_after_merge = 1,
    max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;
ALTER TABLE swaps_final
  ADD INDEX IF NOT EXISTS by_block block_number TYPE minmax GRANULARITY 8,
  MODIFY SETTING non_replicated_deduplication_window = 0, min_rows_to_fsync_after_merge = 1,
    max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;
ALTER TABLE pool_states_final
  ADD INDEX IF NOT EXISTS by_block block_number TYPE minmax GRANULARITY 8,
  MODIFY SETTING non_replicated_deduplication_window = 0, min_rows_to_fsync_after_merge = 1,
    max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;
ALTER TABLE liquidity_events_final
  ADD INDEX IF NOT EXISTS by_block block_number TYPE minmax GRANULARITY 8,
  MODIFY SETTING non_replicated_deduplication_window = 0, min_rows_to_fsync_after_merge = 1,
    max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;
ALTER TABLE pools_final
  ADD INDEX IF NOT EXISTS by_block block_number TYPE minmax GRANULARITY 8,
  MODIFY SETTING non_replicated_deduplication_window = 0, min_rows_to_fsync_after_merge = 1,
    max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;
ALTER TABLE approvals_final
  ADD INDEX IF NOT EXISTS by_block block_number TYPE minmax GRANULARITY 8,
  MODIFY SETTING non_replicated_deduplication_window = 0, min_rows_to_fsync_after_merge = 1,
    max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;
ALTER TABLE ownership_events_final
  ADD INDEX IF NOT EXISTS by_block block_number TYPE minmax GRANULARITY 8,
  MODIFY SETTING non_replicated_deduplication_window = 0, min_rows_to_fsync_after_merge = 1,
    max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;
ALTER TABLE contracts_final
  ADD INDEX IF NOT EXISTS by_block block_number TYPE minmax GRANULARITY 8,
  MODIFY SETTING non_replicated_deduplication_window = 0, min_rows_to_fsync_after_merge = 1,
    max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;
ALTER TABLE deployments_final
  ADD INDEX IF NOT EXISTS by_block block_number TYPE minmax GRANULARITY 8,
  MODIFY SETTING non_replicated_deduplication_window = 0, min_rows_to_fsync_after_merge = 1,
    max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;
ALTER TABLE freeze_events_final
  ADD INDEX IF NOT EXISTS by_block block_number TYPE minmax GRANULARITY 8,
  MODIFY SETTING non_replicated_deduplication_window = 0, min_rows_to_fsync_after_merge = 1,
    max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;
ALTER TABLE position_events_final
  ADD INDEX IF NOT EXISTS by_block block_number TYPE minmax GRANULARITY 8,
  MODIFY SETTING non_replicated_deduplication_window = 0, min_rows_to_fsync_after_merge = 1,
    max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;
ALTER TABLE mass_transfers_final
  ADD INDEX IF NOT EXISTS by_block block_number TYPE minmax GRANULARITY 8,
  MODIFY SETTING non_replicated_deduplication_window = 0, min_rows_to_fsync_after_merge = 1,
    max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;
ALTER TABLE balances
  MODIFY SETTING non_replicated_deduplication_window = 0, min_rows_to_fsync_after_merge = 1,
    max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;
ALTER TABLE balances_by_holder
  MODIFY SETTING non_replicated_deduplication_window = 0, min_rows_to_fsync_after_merge = 1,
    max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;

ALTER TABLE transaction_places_final MATERIALIZE INDEX by_block;
ALTER TABLE ledger_final MATERIALIZE INDEX by_block;
ALTER TABLE token_ledger_final MATERIALIZE INDEX by_block;
ALTER TABLE swaps_final MATERIALIZE INDEX by_block;
ALTER TABLE pool_states_final MATERIALIZE INDEX by_block;
ALTER TABLE liquidity_events_final MATERIALIZE INDEX by_block;
ALTER TABLE pools_final MATERIALIZE INDEX by_block;
ALTER TABLE approvals_final MATERIALIZE INDEX by_block;
ALTER TABLE ownership_events_final MATERIALIZE INDEX by_block;
ALTER TABLE contracts_final MATERIALIZE INDEX by_block;
ALTER TABLE deployments_final MATERIALIZE INDEX by_block;
ALTER TABLE freeze_events_final MATERIALIZE INDEX by_block;
ALTER TABLE position_events_final MATERIALIZE INDEX by_block;
ALTER TABLE mass_transfers_final MATERIALIZE INDEX by_block;

ALTER TABLE networks MODIFY SETTING min_rows_to_fsync_after_merge = 1;
ALTER TABLE segments MODIFY SETTING min_rows_to_fsync_after_merge = 1;
ALTER TABLE openings MODIFY SETTING min_rows_to_fsync_after_merge = 1;
ALTER TABLE openings_by_token MODIFY SETTING min_rows_to_fsync_after_merge = 1;
ALTER TABLE pools_read MODIFY SETTING min_rows_to_fsync_after_merge = 1;
ALTER TABLE tokens MODIFY SETTING min_rows_to_fsync_after_merge = 1;
ALTER TABLE prices MODIFY SETTING min_rows_to_fsync_after_merge = 1;
ALTER TABLE labels MODIFY SETTING min_rows_to_fsync_after_merge = 1;
ALTER TABLE freeze_watches MODIFY SETTING min_rows_to_fsync_after_merge = 1;
ALTER TABLE lists MODIFY SETTING min_rows_to_fsync_after_merge = 1;
ALTER TABLE sanctions MODIFY SETTING min_rows_to_fsync_after_merge = 1;
ALTER TABLE listed_tokens MODIFY SETTING min_rows_to_fsync_after_merge = 1;
ALTER TABLE suppressed MODIFY SETTING min_rows_to_fsync_after_merge = 1;
ALTER TABLE cohorts_daily MODIFY SETTING min_rows_to_fsync_after_merge = 1;
