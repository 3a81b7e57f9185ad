-- One writer of a network's facts (docs/decisions/0037).

-- Names this store wherever several stores could be meant. One row; of two that were made at once the smaller one counts.
CREATE TABLE IF NOT EXISTS facts_identity (id String) ENGINE = MergeTree ORDER BY id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

INSERT INTO facts_identity (id) SELECT toString(generateUUIDv4()) WHERE (SELECT count() FROM facts_identity) = 0;

-- Who was given the right to write a network's facts, one row each time. What an indexer writes carries its epoch and its
-- holder's name, and is refused unless they are the newest here.
CREATE TABLE IF NOT EXISTS index_epochs (
  network LowCardinality(String), epoch UInt64, holder String, host String, pid UInt64, written_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (network, epoch, holder)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;
