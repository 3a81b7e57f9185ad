-- Facts read from blocks: one table per kind of fact. `tail` says what may happen to a row.
--   0          its block is final: written once, compared, never changed (docs/design/exactly_once.md)
--   n > 0      the unfinalised tail, blocks 32 (n - 1) to 32 n - 1: dropped when the tail is reorganised or has become final
-- A block can be in both for a moment, so every query states which it reads; src/store/bounds.ts adds it:
--   (tail = 0) = (block_number <= {final_block:UInt64})
-- Merged parts are synced before the parts they replace go. A damaged part never keeps the store from opening: its rows
-- are found missing and written again. by_block finds the rows of a segment in tables of another order; large finds the few
-- amounts above 128 bits (lib/wide.ts, docs/design/facts_store.md).

CREATE TABLE IF NOT EXISTS blocks (
  network LowCardinality(String), block_number UInt64 CODEC(Delta, LZ4), hash String, parent_hash String,
  time DateTime('UTC') CODEC(Delta, LZ4), producer String, transaction_count UInt32, has_traces UInt8,
  verified Enum8('none' = 0, 'receipts' = 1, 'full' = 2),
  tail UInt32,
  INDEX by_time time TYPE minmax GRANULARITY 1
) ENGINE = MergeTree PARTITION BY (network, tail) ORDER BY (network, block_number)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
  max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;

CREATE TABLE IF NOT EXISTS transactions (
  network LowCardinality(String), block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32, hash String,
  time DateTime('UTC') CODEC(Delta, LZ4), sender String, recipient String, value UInt256, fee UInt256, gas_used UInt64,
  nonce UInt64, succeeded UInt8, selector String, created String,
  tail UInt32
) ENGINE = MergeTree PARTITION BY (network, tail) ORDER BY (network, block_number, tx_index)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 2048,
  max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;

-- Candidate positions of a transaction hash. hash_prefix: its first eight bytes; only the transaction's own row has the whole hash
-- (docs/design/facts_store.md).
CREATE TABLE IF NOT EXISTS transaction_places (
  network LowCardinality(String), hash_prefix String, block_number UInt64, tx_index UInt32,
  tail UInt32,
  INDEX by_block block_number TYPE minmax GRANULARITY 8
) ENGINE = MergeTree PARTITION BY (network, tail) ORDER BY (network, hash_prefix)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 2048,
  max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;

-- One value movement. position orders inside a transaction: 0 its own value, 1.. inner calls in order,
-- 1048576 + log index for logs, 4294967294 tip, 4294967295 fee. Block issuance has tx_index 4294967295.
-- rent: coins that an account must hold to exist, deposited when it is opened and refunded when it is closed.
-- Only the transaction's own row has its hash (docs/design/facts_store.md). No query reads the sender; the ledger is derived from it.
CREATE TABLE IF NOT EXISTS transfers (
  network LowCardinality(String), block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32, position UInt32,
  time DateTime('UTC') CODEC(Delta, LZ4),
  kind Enum8('native' = 1, 'internal' = 2, 'erc20' = 3, 'erc721' = 4, 'erc1155' = 5, 'wrap' = 6, 'fee' = 7, 'tip' = 8,
             'reward' = 9, 'withdrawal' = 10, 'spl' = 11, 'trc20' = 12, 'trc10' = 13, 'rent' = 14),
  token String, token_id UInt256, source String, destination String, amount UInt256 CODEC(ZSTD(1)),
  sender String CODEC(ZSTD(1)) SETTINGS (min_compress_block_size = 1048576, max_compress_block_size = 1048576),
  tail UInt32
) ENGINE = MergeTree PARTITION BY (network, tail) ORDER BY (network, block_number, tx_index, position)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 2048,
  max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;

-- Two rows per transfer, one per side that is an address, for wallet queries. direction 1 in, -1 out. signer: the sender of the
-- transaction, the address itself (own) or else the peer.
CREATE TABLE IF NOT EXISTS ledger (
  network LowCardinality(String), address String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32,
  position UInt32, direction Int8, time DateTime('UTC') CODEC(Delta, LZ4),
  kind Enum8('native' = 1, 'internal' = 2, 'erc20' = 3, 'erc721' = 4, 'erc1155' = 5, 'wrap' = 6, 'fee' = 7, 'tip' = 8,
             'reward' = 9, 'withdrawal' = 10, 'spl' = 11, 'trc20' = 12, 'trc10' = 13, 'rent' = 14),
  token String, token_id UInt256, peer String, amount UInt256 CODEC(ZSTD(1)),
  signer Enum8('other' = 0, 'own' = 1, 'peer' = 2),
  tail UInt32,
  INDEX by_block block_number TYPE minmax GRANULARITY 8,
  INDEX large amount TYPE minmax GRANULARITY 4
) ENGINE = MergeTree PARTITION BY (network, tail) ORDER BY (network, address, block_number, tx_index, position, direction)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 2048,
  max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;

-- Per segment, the first native coins that an address received from another address, and the first from a different funder than that,
-- so that a query can exclude one funder (docs/design/facts_store.md). Final blocks only: queries read the tail from the ledger.
CREATE TABLE IF NOT EXISTS first_funding (
  network LowCardinality(String), address String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32,
  position UInt32, time DateTime('UTC') CODEC(Delta, LZ4), funder String, amount UInt256,
  tail UInt32,
  INDEX by_block block_number TYPE minmax GRANULARITY 8
) ENGINE = MergeTree PARTITION BY (network, tail) ORDER BY (network, address, block_number, tx_index, position)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 2048,
  max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;

-- Transfers by token, for flows and for holders at an earlier block. Addresses are read in runs and recur after hundreds of blocks, so
-- they are compressed in larger blocks, which contain the repetitions (docs/design/facts_store.md).
CREATE TABLE IF NOT EXISTS token_ledger (
  network LowCardinality(String), token String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32, position UInt32,
  time DateTime('UTC') CODEC(Delta, LZ4),
  source String CODEC(ZSTD(1)) SETTINGS (min_compress_block_size = 1048576, max_compress_block_size = 1048576),
  destination String CODEC(ZSTD(1)) SETTINGS (min_compress_block_size = 1048576, max_compress_block_size = 1048576),
  amount UInt256 CODEC(ZSTD(1)),
  tail UInt32,
  INDEX by_block block_number TYPE minmax GRANULARITY 8,
  INDEX large amount TYPE minmax GRANULARITY 4
) ENGINE = MergeTree PARTITION BY (network, tail) ORDER BY (network, token, block_number, tx_index, position)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 2048,
  max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;

-- Tokens that one transaction sent to more than a hundred addresses, the void included: tokens that a wallet received
-- unasked in this way are an airdrop. receivers: distinct ones. Excludes the native coin.
CREATE TABLE IF NOT EXISTS mass_transfers (
  network LowCardinality(String), token String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32, receivers UInt32,
  tail UInt32,
  INDEX by_block block_number TYPE minmax GRANULARITY 8
) ENGINE = MergeTree PARTITION BY (network, tail) ORDER BY (network, token, block_number, tx_index)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 2048,
  max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;

-- amount0, amount1: change of the pool's own reserves (positive = the pool received).
CREATE TABLE IF NOT EXISTS swaps (
  network LowCardinality(String), pool String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32, log_index UInt32,
  time DateTime('UTC') CODEC(Delta, LZ4), tx_hash String, caller String, recipient String, trader String,
  amount0 Int256, amount1 Int256,
  tail UInt32,
  INDEX by_block block_number TYPE minmax GRANULARITY 8
) ENGINE = MergeTree PARTITION BY (network, tail) ORDER BY (network, pool, block_number, log_index)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 2048,
  max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;

-- State of a pool after an event. Constant-product pools fill the reserves, concentrated ones sqrt_price_x96,
-- liquidity and tick; the other side is 0.
CREATE TABLE IF NOT EXISTS pool_states (
  network LowCardinality(String), pool String, block_number UInt64 CODEC(Delta, LZ4), log_index UInt32,
  time DateTime('UTC') CODEC(Delta, LZ4), reserve0 UInt256, reserve1 UInt256, sqrt_price_x96 UInt256,
  liquidity UInt256, tick Int32,
  tail UInt32,
  INDEX by_block block_number TYPE minmax GRANULARITY 8
) ENGINE = MergeTree PARTITION BY (network, tail) ORDER BY (network, pool, block_number, log_index)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 2048,
  max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;

CREATE TABLE IF NOT EXISTS liquidity_events (
  network LowCardinality(String), pool String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32, log_index UInt32,
  time DateTime('UTC') CODEC(Delta, LZ4), tx_hash String,
  kind Enum8('mint' = 1, 'burn' = 2, 'collect' = 3), owner String, actor String,
  amount0 UInt256, amount1 UInt256, liquidity UInt256, tick_lower Int32, tick_upper Int32,
  tail UInt32,
  INDEX by_block block_number TYPE minmax GRANULARITY 8
) ENGINE = MergeTree PARTITION BY (network, tail) ORDER BY (network, pool, block_number, log_index)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
  max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;

-- A pool as its factory announced it. venue = row of protocols/venues.ts; '' = the factory is not in the list. hooks: the
-- contract that it calls before and after its trades (Uniswap v4); '' = none.
CREATE TABLE IF NOT EXISTS pools (
  network LowCardinality(String), pool String, family LowCardinality(String), venue LowCardinality(String),
  factory String, token0 String, token1 String, fee_ppm UInt32, tick_spacing Int32,
  block_number UInt64, tx_index UInt32, log_index UInt32, time DateTime('UTC'), tx_hash String, creator String,
  hooks String,
  tail UInt32,
  INDEX by_block block_number TYPE minmax GRANULARITY 8
) ENGINE = MergeTree PARTITION BY (network, tail) ORDER BY (network, pool, block_number, log_index)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
  max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;

CREATE TABLE IF NOT EXISTS approvals (
  network LowCardinality(String), owner String, token String, spender String, block_number UInt64 CODEC(Delta, LZ4),
  tx_index UInt32, log_index UInt32, time DateTime('UTC') CODEC(Delta, LZ4), tx_hash String,
  kind Enum8('erc20' = 1, 'erc721' = 2, 'for_all' = 3), amount UInt256,
  tail UInt32,
  INDEX by_block block_number TYPE minmax GRANULARITY 8
) ENGINE = MergeTree PARTITION BY (network, tail) ORDER BY (network, owner, token, spender, block_number, log_index)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
  max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;

CREATE TABLE IF NOT EXISTS ownership_events (
  network LowCardinality(String), contract String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32,
  log_index UInt32, time DateTime('UTC') CODEC(Delta, LZ4), tx_hash String,
  kind Enum8('ownership' = 1, 'implementation' = 2, 'admin' = 3, 'beacon' = 4), previous String, current String,
  tail UInt32,
  INDEX by_block block_number TYPE minmax GRANULARITY 8
) ENGINE = MergeTree PARTITION BY (network, tail) ORDER BY (network, contract, block_number, log_index)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
  max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;

-- creator: sender of the transaction. factory: the contract that ran CREATE, '' when the transaction itself did.
CREATE TABLE IF NOT EXISTS contracts (
  network LowCardinality(String), address String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32,
  position UInt32, time DateTime('UTC') CODEC(Delta, LZ4), tx_hash String,
  event Enum8('created' = 1, 'destroyed' = 2), method Enum8('none' = 0, 'create' = 1, 'create2' = 2),
  creator String, factory String, init_hash String, code_hash String,
  tail UInt32,
  INDEX by_block block_number TYPE minmax GRANULARITY 8
) ENGINE = MergeTree PARTITION BY (network, tail) ORDER BY (network, address, block_number, tx_index, position)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
  max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;

CREATE TABLE IF NOT EXISTS deployments (
  network LowCardinality(String), creator String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32,
  position UInt32, time DateTime('UTC') CODEC(Delta, LZ4), tx_hash String, address String,
  method Enum8('none' = 0, 'create' = 1, 'create2' = 2), factory String, code_hash String,
  tail UInt32,
  INDEX by_block block_number TYPE minmax GRANULARITY 8
) ENGINE = MergeTree PARTITION BY (network, tail) ORDER BY (network, creator, block_number, tx_index, position)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
  max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;

-- Issuer actions on accounts, from registered contracts only (labels/issuers). amount: base units, null when the event
-- lacks it. unreadable: an event of the issuer that does not match the registered layout, account ''; it makes every check
-- of the coin incomplete. holding: the affected token account of the wallet, on networks with token accounts;
-- '' = all that the wallet has.
CREATE TABLE IF NOT EXISTS freeze_events (
  network LowCardinality(String), token String, account String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32,
  log_index UInt32, time DateTime('UTC') CODEC(Delta, LZ4), tx_hash String,
  effect Enum8('unreadable' = 0, 'freeze' = 1, 'unfreeze' = 2, 'destroy' = 3, 'seize' = 4), amount Nullable(UInt256),
  holding String,
  tail UInt32,
  INDEX by_block block_number TYPE minmax GRANULARITY 8
) ENGINE = MergeTree PARTITION BY (network, tail) ORDER BY (network, token, account, block_number, log_index)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
  max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;

-- Changes of positions that are not a plain balance: vault shares, loans, liquidity held by an NFT.
-- subject: the account (20 bytes), or contract and decimal token id of the NFT that holds the position.
-- pool: of an NFT's liquidity. asset: the reserve of a loan. amount0: assets, or the pool's first token.
-- stake, unstake: coins that a program of the network holds and that still belong to the wallet.
CREATE TABLE IF NOT EXISTS position_events (
  network LowCardinality(String), subject String, block_number UInt64 CODEC(Delta, LZ4), tx_index UInt32, log_index UInt32,
  time DateTime('UTC') CODEC(Delta, LZ4), tx_hash String,
  kind Enum8('vault_deposit' = 1, 'vault_withdraw' = 2, 'lend' = 3, 'unlend' = 4, 'borrow' = 5, 'repay' = 6,
             'increase' = 7, 'decrease' = 8, 'collect' = 9, 'stake' = 10, 'unstake' = 11),
  contract String, pool String, asset String, amount0 UInt256, amount1 UInt256, liquidity UInt256,
  tail UInt32,
  INDEX by_block block_number TYPE minmax GRANULARITY 8
) ENGINE = MergeTree PARTITION BY (network, tail) ORDER BY (network, subject, block_number, log_index)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 2048,
  max_suspicious_broken_parts = 1000000, max_suspicious_broken_parts_bytes = 1000000000000000;
