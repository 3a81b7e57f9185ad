-- The unfinalised tail. Nothing is synced to the disk: after a start the tail is read from the node again.
CREATE TABLE IF NOT EXISTS blocks_head AS blocks_final
ENGINE = MergeTree PARTITION BY (network, intDiv(block_number, 32)) ORDER BY (network, block_number);

CREATE TABLE IF NOT EXISTS transactions_head AS transactions_final
ENGINE = MergeTree PARTITION BY (network, intDiv(block_number, 32)) ORDER BY (network, block_number, tx_index);

CREATE TABLE IF NOT EXISTS transaction_places_head AS transaction_places_final
ENGINE = MergeTree PARTITION BY (network, intDiv(block_number, 32)) ORDER BY (network, hash);

CREATE TABLE IF NOT EXISTS transfers_head AS transfers_final
ENGINE = MergeTree PARTITION BY (network, intDiv(block_number, 32)) ORDER BY (network, block_number, tx_index, position);

CREATE TABLE IF NOT EXISTS ledger_head AS ledger_final
ENGINE = MergeTree PARTITION BY (network, intDiv(block_number, 32)) ORDER BY (network, address, block_number, tx_index, position, direction);

CREATE TABLE IF NOT EXISTS token_ledger_head AS token_ledger_final
ENGINE = MergeTree PARTITION BY (network, intDiv(block_number, 32)) ORDER BY (network, token, block_number, tx_index, position);

CREATE TABLE IF NOT EXISTS swaps_head AS swaps_final
ENGINE = MergeTree PARTITION BY (network, intDiv(block_number, 32)) ORDER BY (network, pool, block_number, log_index);

CREATE TABLE IF NOT EXISTS pool_states_head AS pool_states_final
ENGINE = MergeTree PARTITION BY (network, intDiv(block_number, 32)) ORDER BY (network, pool, block_number, log_index);

CREATE TABLE IF NOT EXISTS liquidity_events_head AS liquidity_events_final
ENGINE = MergeTree PARTITION BY (network, intDiv(block_number, 32)) ORDER BY (network, pool, block_number, log_index);

CREATE TABLE IF NOT EXISTS pools_head AS pools_final
ENGINE = MergeTree PARTITION BY (network, intDiv(block_number, 32)) ORDER BY (network, pool, block_number, log_index);

CREATE TABLE IF NOT EXISTS approvals_head AS approvals_final
ENGINE = MergeTree PARTITION BY (network, intDiv(block_number, 32)) ORDER BY (network, owner, token, spender, block_number, log_index);

CREATE TABLE IF NOT EXISTS ownership_events_head AS ownership_events_final
ENGINE = MergeTree PARTITION BY (network, intDiv(block_number, 32)) ORDER BY (network, contract, block_number, log_index);

CREATE TABLE IF NOT EXISTS contracts_head AS contracts_final
ENGINE = MergeTree PARTITION BY (network, intDiv(block_number, 32)) ORDER BY (network, address, block_number, tx_index, position);

CREATE TABLE IF NOT EXISTS deployments_head AS deployments_final
ENGINE = MergeTree PARTITION BY (network, intDiv(block_number, 32)) ORDER BY (network, creator, block_number, tx_index, position);

-- A row of no network in each: through a Merge table with an empty half nothing is read in the order of the key.
INSERT INTO blocks_head (network) SELECT '' WHERE (SELECT count() FROM blocks_head WHERE network = '') = 0;
INSERT INTO transactions_head (network) SELECT '' WHERE (SELECT count() FROM transactions_head WHERE network = '') = 0;
INSERT INTO transaction_places_head (network) SELECT '' WHERE (SELECT count() FROM transaction_places_head WHERE network = '') = 0;
INSERT INTO transfers_head (network) SELECT '' WHERE (SELECT count() FROM transfers_head WHERE network = '') = 0;
INSERT INTO ledger_head (network) SELECT '' WHERE (SELECT count() FROM ledger_head WHERE network = '') = 0;
INSERT INTO token_ledger_head (network) SELECT '' WHERE (SELECT count() FROM token_ledger_head WHERE network = '') = 0;
INSERT INTO swaps_head (network) SELECT '' WHERE (SELECT count() FROM swaps_head WHERE network = '') = 0;
INSERT INTO pool_states_head (network) SELECT '' WHERE (SELECT count() FROM pool_states_head WHERE network = '') = 0;
INSERT INTO liquidity_events_head (network) SELECT '' WHERE (SELECT count() FROM liquidity_events_head WHERE network = '') = 0;
INSERT INTO pools_head (network) SELECT '' WHERE (SELECT count() FROM pools_head WHERE network = '') = 0;
INSERT INTO approvals_head (network) SELECT '' WHERE (SELECT count() FROM approvals_head WHERE network = '') = 0;
INSERT INTO ownership_events_head (network) SELECT '' WHERE (SELECT count() FROM ownership_events_head WHERE network = '') = 0;
INSERT INTO contracts_head (network) SELECT '' WHERE (SELECT count() FROM contracts_head WHERE network = '') = 0;
INSERT INTO deployments_head (network) SELECT '' WHERE (SELECT count() FROM deployments_head WHERE network = '') = 0;

-- Both halves.
CREATE TABLE IF NOT EXISTS blocks AS blocks_final ENGINE = Merge(currentDatabase(), '^blocks_(final|head)$');
CREATE TABLE IF NOT EXISTS transactions AS transactions_final ENGINE = Merge(currentDatabase(), '^transactions_(final|head)$');
CREATE TABLE IF NOT EXISTS transaction_places AS transaction_places_final ENGINE = Merge(currentDatabase(), '^transaction_places_(final|head)$');
CREATE TABLE IF NOT EXISTS transfers AS transfers_final ENGINE = Merge(currentDatabase(), '^transfers_(final|head)$');
CREATE TABLE IF NOT EXISTS ledger AS ledger_final ENGINE = Merge(currentDatabase(), '^ledger_(final|head)$');
CREATE TABLE IF NOT EXISTS token_ledger AS token_ledger_final ENGINE = Merge(currentDatabase(), '^token_ledger_(final|head)$');
CREATE TABLE IF NOT EXISTS swaps AS swaps_final ENGINE = Merge(currentDatabase(), '^swaps_(final|head)$');
CREATE TABLE IF NOT EXISTS pool_states AS pool_states_final ENGINE = Merge(currentDatabase(), '^pool_states_(final|head)$');
CREATE TABLE IF NOT EXISTS liquidity_events AS liquidity_events_final ENGINE = Merge(currentDatabase(), '^liquidity_events_(final|head)$');
CREATE TABLE IF NOT EXISTS pools AS pools_final ENGINE = Merge(currentDatabase(), '^pools_(final|head)$');
CREATE TABLE IF NOT EXISTS approvals AS approvals_final ENGINE = Merge(currentDatabase(), '^approvals_(final|head)$');
CREATE TABLE IF NOT EXISTS ownership_events AS ownership_events_final ENGINE = Merge(currentDatabase(), '^ownership_events_(final|head)$');
CREATE TABLE IF NOT EXISTS contracts AS contracts_final ENGINE = Merge(currentDatabase(), '^contracts_(final|head)$');
CREATE TABLE IF NOT EXISTS deployments AS deployments_final ENGINE = Merge(currentDatabase(), '^deployments_(final|head)$');

-- Second copies, ordered for other questions. A side of a transfer that is the void gets no row.
CREATE MATERIALIZED VIEW IF NOT EXISTS feed_transaction_places_final TO transaction_places_final AS
SELECT network, hash, block_number, tx_index FROM transactions_final;

CREATE MATERIALIZED VIEW IF NOT EXISTS feed_transaction_places_head TO transaction_places_head AS
SELECT network, hash, block_number, tx_index FROM transactions_head;

CREATE MATERIALIZED VIEW IF NOT EXISTS feed_ledger_final TO ledger_final AS
SELECT network, side.1 AS address, block_number, tx_index, position, side.2 AS direction, time, tx_hash, kind, token,
  token_id, side.3 AS peer, amount, sender
FROM transfers_final
ARRAY JOIN [(source, toInt8(-1), destination), (destination, toInt8(1), source)] AS side
WHERE side.1 != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS feed_ledger_head TO ledger_head AS
SELECT network, side.1 AS address, block_number, tx_index, position, side.2 AS direction, time, tx_hash, kind, token,
  token_id, side.3 AS peer, amount, sender
FROM transfers_head
ARRAY JOIN [(source, toInt8(-1), destination), (destination, toInt8(1), source)] AS side
WHERE side.1 != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS feed_token_ledger_final TO token_ledger_final AS
SELECT network, token, block_number, tx_index, position, time, source, destination, amount FROM transfers_final;

CREATE MATERIALIZED VIEW IF NOT EXISTS feed_token_ledger_head TO token_ledger_head AS
SELECT network, token, block_number, tx_index, position, time, source, destination, amount FROM transfers_head;

CREATE MATERIALIZED VIEW IF NOT EXISTS feed_deployments_final TO deployments_final AS
SELECT network, creator, block_number, tx_index, position, time, tx_hash, address, method, factory, code_hash
FROM contracts_final
WHERE event = 'created';

CREATE MATERIALIZED VIEW IF NOT EXISTS feed_deployments_head TO deployments_head AS
SELECT network, creator, block_number, tx_index, position, time, tx_hash, address, method, factory, code_hash
FROM contracts_head
WHERE event = 'created';

CREATE MATERIALIZED VIEW IF NOT EXISTS feed_balances_by_holder TO balances_by_holder AS
SELECT network, holder, token, amount, transfers, first_block, last_block FROM balances;

CREATE MATERIALIZED VIEW IF NOT EXISTS feed_openings_by_token TO openings_by_token AS
SELECT network, token, holder, amount, block_number FROM openings;
