-- What issuers did to accounts, from registered contracts only (labels/issuers). amount: base units, null when the event
-- does not say. unreadable: an event of the issuer that is not laid out as registered, account ''; it makes every check
-- of the coin incomplete.
CREATE TABLE IF NOT EXISTS freeze_events_final (
  network LowCardinality(String), token String, account String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32,
  log_index UInt32, time DateTime('UTC') CODEC(Delta, LZ4), tx_hash String,
  effect Enum8('unreadable' = 0, 'freeze' = 1, 'unfreeze' = 2, 'destroy' = 3, 'seize' = 4), amount Nullable(UInt256)
) ENGINE = MergeTree ORDER BY (network, token, account, block_number, log_index)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1;

CREATE TABLE IF NOT EXISTS freeze_events_head AS freeze_events_final
ENGINE = MergeTree PARTITION BY (network, intDiv(block_number, 32)) ORDER BY (network, token, account, block_number, log_index);

-- A row of no network: through a Merge table with an empty half nothing is read in the order of the key.
INSERT INTO freeze_events_head (network) SELECT '' WHERE (SELECT count() FROM freeze_events_head WHERE network = '') = 0;

CREATE TABLE IF NOT EXISTS freeze_events AS freeze_events_final ENGINE = Merge(currentDatabase(), '^freeze_events_(final|head)$');

-- Which coins the indexer listens to, and how. blind_to: the last final block that was written before it did (0 = none);
-- events up to there are missing. families '': no longer listened to.
CREATE TABLE IF NOT EXISTS freeze_watches (
  network LowCardinality(String), token String, families String, blind_to UInt64, written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (network, token)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;
