-- Views that fill the other orders of the unfinalised tail; those of final blocks are written one by one (src/store/final_writer.ts). A side
-- of a transfer that is the void gets no row.
CREATE MATERIALIZED VIEW IF NOT EXISTS feed_transaction_places TO transaction_places AS
SELECT network, substring(hash, 1, 8) AS hash_prefix, block_number, tx_index, tail FROM transactions WHERE tail != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS feed_ledger TO ledger AS
SELECT network, side.1 AS address, block_number, tx_index, position, side.2 AS direction, time, kind, token,
  token_id, side.3 AS peer, amount, multiIf(sender = side.1, 'own', sender != '' AND sender = side.3, 'peer', 'other') AS signer, tail
FROM (SELECT * FROM transfers WHERE tail != 0)
ARRAY JOIN [(source, toInt8(-1), destination), (destination, toInt8(1), source)] AS side
WHERE side.1 != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS feed_token_ledger TO token_ledger AS
SELECT network, token, block_number, tx_index, position, time, source, destination, amount, tail
FROM transfers WHERE tail != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS feed_deployments TO deployments AS
SELECT network, creator, block_number, tx_index, position, time, tx_hash, address, method, factory, code_hash, tail
FROM contracts
WHERE tail != 0 AND event = 'created';
