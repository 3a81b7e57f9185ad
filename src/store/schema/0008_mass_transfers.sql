-- Tokens that one transaction sent to more than a hundred addresses, the void among them: what came to a wallet that way
-- unasked is an airdrop. receivers: distinct ones. The native coin is left out.
CREATE TABLE IF NOT EXISTS mass_transfers_final (
  network LowCardinality(String), token String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32, receivers UInt32
) ENGINE = MergeTree ORDER BY (network, token, block_number, tx_index)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 2048;

CREATE TABLE IF NOT EXISTS mass_transfers_head AS mass_transfers_final
ENGINE = MergeTree PARTITION BY (network, intDiv(block_number, 32)) ORDER BY (network, token, block_number, tx_index);

INSERT INTO mass_transfers_head (network) SELECT '' WHERE (SELECT count() FROM mass_transfers_head WHERE network = '') = 0;

CREATE TABLE IF NOT EXISTS mass_transfers AS mass_transfers_final ENGINE = Merge(currentDatabase(), '^mass_transfers_(final|head)$');

-- What was indexed before there was this table. Only the few transactions with so many transfers are looked into.
INSERT INTO mass_transfers_final (network, token, block_number, tx_index, receivers)
SELECT network, token, block_number, tx_index, uniqExact(destination) AS receivers
FROM transfers_final
WHERE token != '' AND (SELECT count() FROM mass_transfers_final) = 0
  AND (network, block_number, tx_index) IN (
    SELECT network, block_number, tx_index
    FROM transfers_final
    GROUP BY network, block_number, tx_index
    HAVING count() > 100
    SETTINGS optimize_aggregation_in_order = 1)
GROUP BY network, token, block_number, tx_index
HAVING receivers > 100;
