/**
 * Ledgers of any size, written by the engine itself through the real tables and their views. 100 transfers a block, one
 * transaction each; the use of addresses and tokens is as uneven as in life (cubes of uniform numbers).
 */
import { type Hex, hex } from "../src/lib/bytes.ts";
import type { Engine } from "../src/store/engine.ts";
import type { FactsStore } from "../src/store/open.ts";

export const NETWORK = "demo";
const TRANSFERS_PER_BLOCK = 100;
const SEGMENT_BLOCKS = 10_000;
/** Blocks that are not final yet. */
const TAIL_BLOCKS = 64;
const BLOCK_SECONDS = 12;
const HOUR_S = 3600;
const GENESIS_TIME = 1_600_000_000;
const TOKENS = 20_000;
const POOLS = 500;

const special = (n: number): Hex => hex(`aa${n.toString(16).padStart(38, "0")}`);
/** A thousand movements, a hundred thousand, a hundred thousand of which 499 in 500 are spam, and 2,000 tokens. */
export const WALLETS = { small: special(1), large: special(2), spammed: special(3), collector: special(4) };
export const DOLLAR = special(5);
export const WRAPPED = special(6);
const SPAM = special(7);
/** 100,000 swaps (a tenth of the transfers at most): buys for 2 dollars a token and sells as many for 2.02, in turn. */
export const TRADER = special(8);
const HELD_TOKENS = 2_000;

const bytes = (hex: string): string => `unhex('${hex}')`;
const addressOf = (of: string): string => `substring(concat(sipHash128(${of}), sipHash128(${of}, 2)), 1, 20)`;
const hashOf = (of: string): string => `concat(sipHash128(${of}, 3), sipHash128(${of}, 4))`;
const blockHash = (of: string): string => `unhex(leftPad(hex(toUInt64(${of})), 64, '0'))`;
const cubic = (below: number, salt: number): string =>
  `toUInt64(${below} * pow(cityHash64(number, ${salt}) / 18446744073709551616, 3))`;
const timeOf = (block: string): string => `toDateTime(${GENESIS_TIME} + ${block} * ${BLOCK_SECONDS}, 'UTC')`;
export const tokenOf = (n: string): string =>
  `if(${n} = 0, ${bytes(WRAPPED)}, ${addressOf(`toUInt64(1000000000 + ${n})`)})`;

/** Columns of the transfer that `number` stands for, as `WITH` expressions. */
const movement = (transfers: number): string => {
  const [rare, often, some] = [1_000, 100_000, 2 * HELD_TOKENS].map((rows) =>
    Math.max(1, Math.floor(transfers / rows)),
  );
  const which = `multiIf(number % ${rare} = 0, 1, number % ${often} = 1, 2, number % ${often} = 2, 3, number % ${some} = 3, 4, 0)`;
  const wallets = Math.floor(transfers / 3);
  return `${which} AS which,
    intDiv(number, ${TRANSFERS_PER_BLOCK}) AS block,
    multiIf(which = 1, ${bytes(WALLETS.small)}, which = 2, ${bytes(WALLETS.large)}, which = 3, ${bytes(WALLETS.spammed)},
      which = 4, ${bytes(WALLETS.collector)}, ${addressOf(cubic(wallets, 1))}) AS one,
    ${addressOf(cubic(wallets, 2))} AS other,
    which = 4 OR (which = 3 AND NOT is_real) OR cityHash64(number, 9) % 2 = 0 AS is_in,
    intDiv(number, ${often}) % 500 = 0 AS is_real,
    multiIf(which = 3 AND NOT is_real, ${bytes(SPAM)},
      which = 4, ${tokenOf(`toUInt64(${TOKENS} + intDiv(number, ${some}) % ${HELD_TOKENS})`)},
      cityHash64(number, 7) % 5 = 0, '', ${tokenOf(cubic(TOKENS, 8))}) AS coin,
    if(is_in, other, one) AS from_address, if(is_in, one, other) AS to_address,
    toUInt256(cityHash64(number, 6) % 1000000000) * toUInt256(1000000000) AS quantity`;
};

interface Blocks {
  readonly from: number;
  readonly to: number;
  readonly is_final: boolean;
}

/** The column `tail` of rows of a block (SQL). */
const tailOf = (is_final: boolean, block: string): string => (is_final ? "0" : `intDiv(${block}, 32) + 1`);

/** Positions of the trader's swaps: some in each block, after its other transactions. */
const FIRST_TRADE_INDEX = 1_000;

const tradesOf = (transfers: number): number => Math.min(100_000, Math.floor(transfers / 10));

/** The trader's swap `number` as `WITH` expressions: buys have even numbers, and the sale after sells the same. */
const trade = (block: string): string => `${block} AS block, ${FIRST_TRADE_INDEX} + number AS tx,
    2 + intDiv(number, 2) % 20 AS which, ${tokenOf("which")} AS coin, ${addressOf("toUInt64(2000000000 + which)")} AS pool,
    number % 2 = 0 AS is_buy, toUInt256(1 + intDiv(number, 2) % 1000) AS quantity,
    quantity * toUInt256('1000000000000000000') AS coins, quantity * toUInt256(if(is_buy, '2000000000000000000', '2020000000000000000')) AS dollars,
    ${hashOf("number, 'trade'")} AS hash, ${bytes(TRADER)} AS trader`;

const writeBlockRows = (engine: Engine, { from, to, is_final }: Blocks): Promise<void> =>
  engine.command(`INSERT INTO blocks (network, block_number, hash, parent_hash, time, producer, transaction_count, has_traces, tail)
    SELECT '${NETWORK}', number, ${blockHash("number")}, ${blockHash("greatest(number, 1) - 1")}, ${timeOf("number")}, '', ${TRANSFERS_PER_BLOCK}, 1, ${tailOf(is_final, "number")}
    FROM numbers(${from}, ${to - from + 1})`);

interface TradeRows {
  readonly is_final: boolean;
  /** SQL: the block of the swap, and the source of the swaps' numbers. */
  readonly block: string;
  readonly from: string;
}

const writeTradeRows = async (engine: Engine, { is_final, block, from }: TradeRows): Promise<void> => {
  await engine.command(`INSERT INTO transfers (network, block_number, tx_index, position, time, kind, token,
      token_id, source, destination, amount, sender, tail)
    WITH ${trade(block)}
    SELECT '${NETWORK}', block, tx, 1048576 + leg.1, ${timeOf("block")}, 'erc20', leg.2, toUInt256(0),
      if(is_buy = leg.1, pool, trader), if(is_buy = leg.1, trader, pool), leg.3, trader, ${tailOf(is_final, "block")}
    ${from} ARRAY JOIN [(0, ${bytes(DOLLAR)}, dollars), (1, coin, coins)] AS leg`);
  await engine.command(`INSERT INTO transactions (network, block_number, tx_index, hash, time, sender, recipient, value,
      fee, gas_used, nonce, succeeded, selector, created, tail)
    WITH ${trade(block)}
    SELECT '${NETWORK}', block, tx, hash, ${timeOf("block")}, trader, pool, toUInt256(0), toUInt256(21000000000000), 21000, 0, 1,
      unhex('022c0d9f'), '', ${tailOf(is_final, "block")}
    ${from}`);
  await engine.command(`INSERT INTO swaps (network, pool, block_number, tx_index, log_index, time, tx_hash, caller,
      recipient, trader, amount0, amount1, tail)
    WITH ${trade(block)}
    SELECT '${NETWORK}', pool, block, tx, tx, ${timeOf("block")}, hash, trader, trader, trader,
      if(is_buy, -1, 1) * toInt256(coins), if(is_buy, 1, -1) * toInt256(dollars), ${tailOf(is_final, "block")}
    ${from}`);
};

const writeTrades = (engine: Engine, { from, to, is_final }: Blocks, transfers: number): Promise<void> => {
  const [trades, blocks] = [tradesOf(transfers), Math.floor(transfers / TRANSFERS_PER_BLOCK)];
  const block = `intDiv(number * ${blocks}, ${trades})`;
  return writeTradeRows(engine, {
    is_final,
    block,
    from: `FROM (SELECT number FROM numbers(${trades}) WHERE ${block} BETWEEN ${from} AND ${to})`,
  });
};

const writeBlocks = async (engine: Engine, { from, to, is_final }: Blocks, transfers: number): Promise<void> => {
  const range = `numbers(${from * TRANSFERS_PER_BLOCK}, ${(to - from + 1) * TRANSFERS_PER_BLOCK})`;
  await engine.command(`INSERT INTO transfers (network, block_number, tx_index, position, time, kind, token,
      token_id, source, destination, amount, sender, tail)
    WITH ${movement(transfers)}
    SELECT '${NETWORK}', block, number % ${TRANSFERS_PER_BLOCK}, if(coin = '', 0, 1048576 + number % ${TRANSFERS_PER_BLOCK}), ${timeOf("block")},
      if(coin = '', 'native', 'erc20'), coin, toUInt256(0), from_address, to_address,
      quantity, from_address, ${tailOf(is_final, "block")}
    FROM ${range}`);
  await engine.command(`INSERT INTO transactions (network, block_number, tx_index, hash, time, sender, recipient, value,
      fee, gas_used, nonce, succeeded, selector, created, tail)
    WITH ${movement(transfers)}
    SELECT '${NETWORK}', block, number % ${TRANSFERS_PER_BLOCK}, ${hashOf("number")}, ${timeOf("block")}, from_address, if(coin = '', to_address, coin),
      if(coin = '', quantity, toUInt256(0)), toUInt256(21000000000000), 21000, 0, 1, if(coin = '', '', unhex('a9059cbb')), '', ${tailOf(is_final, "block")}
    FROM ${range}`);
  await writeTrades(engine, { from, to, is_final }, transfers);
  await writeBlockRows(engine, { from, to, is_final });
};

const writeMarkets = async (engine: Engine, blocks: number): Promise<void> => {
  const first_hour = GENESIS_TIME - (GENESIS_TIME % HOUR_S);
  const hours = Math.floor((GENESIS_TIME + (blocks - TAIL_BLOCKS) * BLOCK_SECONDS - first_hour) / HOUR_S);
  await engine.command(`INSERT INTO tokens (network, token, standard, name, symbol, decimals, total_supply, read_at_block)
    SELECT '${NETWORK}', ${tokenOf("number")}, 'erc20', concat('Token ', toString(number)), concat('T', toString(number)), 18, NULL, 0
    FROM numbers(${TOKENS + HELD_TOKENS})
    UNION ALL SELECT '${NETWORK}', ${bytes(DOLLAR)}, 'erc20', 'USD Coin', 'USDC', 18, NULL, 0
    UNION ALL SELECT '${NETWORK}', ${bytes(SPAM)}, 'erc20', 'Visit claim-reward.com', 'GIFT', 18, NULL, 0`);
  const pool = addressOf("toUInt64(2000000000 + number)");
  await engine.command(`INSERT INTO pools (network, pool, family, venue, factory, token0, token1, fee_ppm, tick_spacing,
      block_number, tx_index, log_index, time, tx_hash, creator)
    SELECT '${NETWORK}', ${pool}, 'uniswap_v2', 'uniswap_v2', '', ${tokenOf("number")}, ${bytes(DOLLAR)}, 3000, 0, 0, 0, number, ${timeOf("0")}, '', ''
    FROM numbers(${POOLS})`);
  const first_of_tail = (blocks - TAIL_BLOCKS) * 50;
  for (const [first, count] of [
    [0, first_of_tail],
    [first_of_tail, TAIL_BLOCKS * 50],
  ] as const) {
    await engine.command(`INSERT INTO pool_states (network, pool, block_number, log_index, time, reserve0, reserve1, sqrt_price_x96, liquidity, tick, tail)
      SELECT '${NETWORK}', ${addressOf(`toUInt64(2000000000 + number % ${POOLS})`)}, intDiv(number, 50) AS block, number % 50, ${timeOf("block")},
        toUInt256('1000000000000000000000000'), toUInt256('2000000000000000000000000') + number, toUInt256(0), toUInt256(0), 0, ${tailOf(first === 0, "block")}
      FROM numbers(${first}, ${count})`);
  }
  await engine.command(`INSERT INTO prices (network, token, hour, price_usd, volume_usd, depth_usd, method, confidence, version)
    SELECT '${NETWORK}', if(number % ${POOLS} = 1, ${bytes(DOLLAR)}, ${tokenOf(`number % ${POOLS}`)}), toDateTime(${first_hour} + intDiv(number, ${POOLS}) * ${HOUR_S}, 'UTC') AS hour,
      if(number % ${POOLS} = 1, 1, 2), 0, 2000000, if(number % ${POOLS} = 1, 'anchor', 'mid'), 'high', toUnixTimestamp(hour)
    FROM numbers(${hours * POOLS})`);
};

/**
 * Fills an empty store with `rows` rows in the wallets' ledger (two per transfer), in segments of a fixed number of
 * blocks.
 */
export const writeLedger = async (
  { engine, writer }: Pick<FactsStore, "engine" | "writer">,
  rows: number,
  segment_blocks = SEGMENT_BLOCKS,
): Promise<void> => {
  const transfers = rows / 2;
  const blocks = Math.floor(transfers / TRANSFERS_PER_BLOCK);
  const final_to = blocks - TAIL_BLOCKS - 1;
  await engine.command(`INSERT INTO networks (network, chain_id, from_block, from_hash, written_at)
    SELECT '${NETWORK}', 31337, 0, ${blockHash("0")}, now64(3)`);
  for (let from = 0; from <= final_to; from += segment_blocks) {
    const to = Math.min(final_to, from + segment_blocks - 1);
    await writeBlocks(engine, { from, to, is_final: true }, transfers);
    await writer.finals.writeLayouts({ network: NETWORK, from, to }, { is_fresh: true });
    await writer.finals.writeBalances({ network: NETWORK, from, to }, { is_fresh: true });
    for (const state of ["begun", "done"]) {
      await engine.command(`INSERT INTO segments (network, from_block, to_block, to_hash, state, has_traces, written_at)
        SELECT '${NETWORK}', ${from}, ${to}, ${blockHash(`${to}`)}, '${state}', 1, now64(3)`);
    }
  }
  await writeBlocks(engine, { from: final_to + 1, to: blocks - 1, is_final: false }, transfers);
  await writeMarkets(engine, blocks);
};

/** Writes block `number` on top, with one further swap of the trader. */
export const writeNewSwap = async ({ engine }: FactsStore, number: number, nth: number): Promise<void> => {
  const from = `FROM numbers(${nth}, 1)`;
  await writeTradeRows(engine, { is_final: false, block: `toUInt64(${number})`, from });
  await writeBlockRows(engine, { from: number, to: number, is_final: false });
};

/** Number of the trader's swaps in a ledger, and their gain: 0.02 dollars a token sold. */
export const tradesBefore = (rows: number): number => tradesOf(rows / 2);
export const realizedBy = (trades: number): number => {
  let tokens = 0;
  for (let sale = 0; sale < Math.floor(trades / 2); sale += 1) tokens += 1 + (sale % 1_000);
  return tokens * 0.02;
};
