/** Copies the rows of a ledger into the tables and indexes that a Blockscout-like explorer has in PostgreSQL. */
import type { Engine } from "../src/store/engine.ts";
import type { Postgres } from "./postgres.ts";

const PIECE_BLOCKS = 2_000;
const SHARES = 8;

const TABLES = `
CREATE TABLE token_transfers (transaction_hash bytea NOT NULL, log_index integer NOT NULL, from_address_hash bytea NOT NULL,
  to_address_hash bytea NOT NULL, token_contract_address_hash bytea NOT NULL, amount numeric(100), block_number integer NOT NULL,
  block_hash bytea NOT NULL, inserted_at timestamp NOT NULL DEFAULT now(), updated_at timestamp NOT NULL DEFAULT now());
CREATE TABLE transactions (hash bytea NOT NULL, block_number integer NOT NULL, block_hash bytea NOT NULL, index integer NOT NULL,
  from_address_hash bytea NOT NULL, to_address_hash bytea, value numeric(100) NOT NULL, gas_used numeric(100),
  gas_price numeric(100), nonce integer NOT NULL, status integer, input bytea NOT NULL, block_timestamp timestamp NOT NULL,
  inserted_at timestamp NOT NULL DEFAULT now(), updated_at timestamp NOT NULL DEFAULT now());
CREATE TABLE address_current_token_balances (address_hash bytea NOT NULL, token_contract_address_hash bytea NOT NULL,
  block_number integer NOT NULL, value numeric(100), value_fetched_at timestamp NOT NULL DEFAULT now(),
  inserted_at timestamp NOT NULL DEFAULT now(), updated_at timestamp NOT NULL DEFAULT now());`;

const INDEXES = `
ALTER TABLE token_transfers ADD PRIMARY KEY (transaction_hash, block_hash, log_index);
CREATE INDEX ON token_transfers (from_address_hash, block_number DESC, log_index DESC);
CREATE INDEX ON token_transfers (to_address_hash, block_number DESC, log_index DESC);
CREATE INDEX ON token_transfers (token_contract_address_hash, block_number DESC, log_index DESC);
CREATE INDEX ON token_transfers (block_number DESC, log_index DESC);
ALTER TABLE transactions ADD PRIMARY KEY (hash);
CREATE INDEX ON transactions (from_address_hash, block_number DESC, index DESC);
CREATE INDEX ON transactions (to_address_hash, block_number DESC, index DESC);
CREATE INDEX ON transactions (block_number DESC, index DESC);
CREATE UNIQUE INDEX ON address_current_token_balances (address_hash, token_contract_address_hash);
CREATE INDEX ON address_current_token_balances (token_contract_address_hash, value DESC, address_hash DESC) WHERE value > 0;`;

const COVERING = `
CREATE INDEX ON token_transfers (from_address_hash) INCLUDE (to_address_hash, block_number);
CREATE INDEX ON token_transfers (to_address_hash) INCLUDE (from_address_hash, block_number);
CREATE INDEX ON transactions (from_address_hash) INCLUDE (to_address_hash, block_number) WHERE value > 0;
CREATE INDEX ON transactions (to_address_hash) INCLUDE (from_address_hash, block_number) WHERE value > 0;`;

const csv = (parts: readonly string[]): string => `concat(${parts.join(", ',', ")})`;
const hex = (of: string): string => `'\\\\x', lower(hex(${of}))`;
const block = hex("leftPad(toString(block_number), 32, '0')");

/** As long and as random as a hash: movements have none (docs/design/facts_store.md), and no query here needs one. */
const HASH = "concat(sipHash128(block_number, tx_index, 3), sipHash128(block_number, tx_index, 4))";

const TOKEN_TRANSFERS = csv([
  hex(HASH),
  "toString(position - 1048576)",
  hex("source"),
  hex("destination"),
  hex("token"),
  "toString(amount)",
  "toString(block_number)",
  block,
]);

const TRANSACTIONS = csv([
  hex("hash"),
  "toString(block_number)",
  block,
  "toString(tx_index)",
  hex("sender"),
  hex("recipient"),
  "toString(value)",
  "toString(gas_used)",
  "'1000000000'",
  "toString(nonce)",
  "toString(succeeded)",
  hex("selector"),
  "formatDateTime(time, '%F %T')",
]);

const BALANCE = csv([
  hex("side.1"),
  hex("token"),
  "toString(max(block_number))",
  "toString(sum(toInt256(amount) * side.2))",
]);

/** Sums of the movements of one share of all holders, by token: an explorer has them for the newest block. */
const balancesOf = (share: number): string => `SELECT ${BALANCE}
  FROM transfers ARRAY JOIN [(source, -1), (destination, 1)] AS side
  WHERE kind = 'erc20' AND cityHash64(side.1) % ${SHARES} = ${share}
  GROUP BY side.1, token`;

/** A table's rows as CSV, a few blocks at a time. */
async function* piecesOf(engine: Engine, [select, blocks]: readonly [string, number]): AsyncGenerator<string> {
  for (let from = 0; from < blocks; from += PIECE_BLOCKS) {
    const rows = await engine.query(`${select} AND block_number BETWEEN ${from} AND ${from + PIECE_BLOCKS - 1}`);
    yield rows.map(([line]) => `${line}\n`).join("");
  }
}

/** Balances of all holders as CSV, a few holders at a time. */
async function* sharesOf(engine: Engine): AsyncGenerator<string> {
  for (let share = 0; share < SHARES; share += 1) {
    const rows = await engine.query(balancesOf(share));
    yield rows.map(([line]) => `${line}\n`).join("");
  }
}

/** Copies a ledger of `blocks` blocks (wallet_rows.ts) and builds the usual indexes. */
export const copyLedger = async (engine: Engine, postgres: Postgres, blocks: number): Promise<void> => {
  postgres.command(TABLES);
  const transfers = `SELECT ${TOKEN_TRANSFERS} FROM transfers WHERE kind = 'erc20'`;
  const columns =
    "(transaction_hash, log_index, from_address_hash, to_address_hash, token_contract_address_hash, amount, block_number, block_hash)";
  await postgres.load(`token_transfers ${columns}`, piecesOf(engine, [transfers, blocks]));
  const transactions = `SELECT ${TRANSACTIONS} FROM transactions WHERE 1`;
  const more =
    "(hash, block_number, block_hash, index, from_address_hash, to_address_hash, value, gas_used, gas_price, nonce, status, input, block_timestamp)";
  await postgres.load(`transactions ${more}`, piecesOf(engine, [transactions, blocks]));
  const balances = "address_current_token_balances (address_hash, token_contract_address_hash, block_number, value)";
  await postgres.load(balances, sharesOf(engine));
  const tables = ["token_transfers", "transactions", "address_current_token_balances"];
  postgres.command(`${INDEXES}\n${tables.map((table) => `VACUUM ANALYZE ${table};`).join("\n")}`);
};

/** An index that alone answers the counterparties of a wallet. */
export const addCoveringIndexes = (postgres: Postgres): void =>
  postgres.command(`${COVERING}\nVACUUM ANALYZE token_transfers;\nVACUUM ANALYZE transactions;`);

const TOP = 20;

/** The counterparties with the most transfers, the number of all, and the first and last block of each. */
export const explorerCounterparties = (wallet: string): string => {
  const me = `'\\x${wallet}'`;
  const side = ([own, other]: readonly [string, string]) =>
    `SELECT ${other} AS peer, block_number FROM token_transfers WHERE ${own} = ${me} AND ${other} <> ${me}
     UNION ALL SELECT ${other}, block_number FROM transactions WHERE ${own} = ${me} AND ${other} <> ${me} AND value > 0`;
  const both = ["from_address_hash", "to_address_hash"] as const;
  return `SELECT encode(peer, 'hex'), count(*) AS transfers, min(block_number), max(block_number), count(*) OVER () AS peers
    FROM (${side(both)} UNION ALL ${side([both[1], both[0]])}) AS moved
    GROUP BY peer ORDER BY transfers DESC, encode(peer, 'hex') LIMIT ${TOP}`;
};

/** The same query on our ledger, without prices, labels and spam. */
export const ledgerCounterparties = (wallet: string): string =>
  `SELECT lower(hex(peer)), count() AS transfers, min(block_number), max(block_number), count() OVER () AS peers
    FROM ledger
    WHERE network = 'demo' AND address = unhex('${wallet}') AND peer != address AND amount > 0 AND kind NOT IN ('fee', 'tip')
    GROUP BY peer ORDER BY transfers DESC, lower(hex(peer)) LIMIT ${TOP}`;

/** The newest transfers of tokens from and to a wallet. */
export const explorerTransfers = (wallet: string): string => {
  const newest = "ORDER BY block_number DESC, log_index DESC";
  const side = (own: string) =>
    `(SELECT block_number, log_index, token_contract_address_hash AS token, amount FROM token_transfers
      WHERE ${own} = '\\x${wallet}' ${newest} LIMIT ${TOP})`;
  return `SELECT block_number, log_index, encode(token, 'hex'), amount
    FROM (${side("from_address_hash")} UNION ALL ${side("to_address_hash")}) AS moved ${newest} LIMIT ${TOP}`;
};

/** The same from our ledger. */
export const ledgerTransfers = (wallet: string): string =>
  `SELECT block_number, toString(position - 1048576), lower(hex(token)), toString(amount)
    FROM ledger
    WHERE network = 'demo' AND address = unhex('${wallet}') AND kind = 'erc20'
    ORDER BY block_number DESC, tx_index DESC, position DESC LIMIT ${TOP}`;

const HELD = "address_current_token_balances WHERE value > 0 AND token_contract_address_hash =";

/** The largest holders of a token. */
export const explorerHolders = (token: string): string =>
  `SELECT encode(address_hash, 'hex'), value FROM ${HELD} '\\x${token}' ORDER BY value DESC, address_hash DESC LIMIT ${TOP}`;

/** Number of holders of a token. */
export const explorerHolderCount = (token: string): string => `SELECT count(*) FROM ${HELD} '\\x${token}'`;

/** Final blocks by their sums, plus the movements of later ones. */
const holdersQuery = (token: string): string =>
  `(SELECT holder, sum(delta) AS held FROM (
      SELECT holder, amount AS delta FROM balances WHERE network = 'demo' AND token = unhex('${token}')
      UNION ALL SELECT side.1, toInt256(amount) * side.2
      FROM token_ledger ARRAY JOIN [(source, -1), (destination, 1)] AS side
      WHERE network = 'demo' AND token = unhex('${token}') AND tail != 0)
    GROUP BY holder HAVING held > 0)`;

export const ledgerHolders = (token: string): string =>
  `SELECT lower(hex(holder)), toString(held) FROM ${holdersQuery(token)} ORDER BY held DESC, holder DESC LIMIT ${TOP}`;

export const ledgerHolderCount = (token: string): string => `SELECT toString(count()) FROM ${holdersQuery(token)}`;
