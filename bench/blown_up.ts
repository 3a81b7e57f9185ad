/**
 * The demo world with any number of further transfers in its own final blocks, written by the engine into the real
 * tables and layouts; the facts of the scenario stay unchanged. One transfer in five belongs to a trade (two transfers
 * and a swap), and the use of wallets, tokens and pools is as uneven as in life (cubes of uniform numbers).
 */

import { DEMO_CONTRACTS } from "../src/demo/evm/characters.ts";
import type { Engine } from "../src/store/engine.ts";
import { columnsOf, LAYOUT_TABLES, layoutSelect, type NetworkRange, rangeParams } from "../src/store/sums.ts";

const NETWORK = "demo";
const WALLETS = 100_000;
const TOKENS = 3_000;
/** The first tokens after the dollar have a pool against it. */
const POOLS = 300;
const CHUNK_TRANSFERS = 1_000_000;
/** Transactions from this index on are not the scenario's. */
const FIRST_INDEX = 1_000_000;
const FIRST_TRADE_INDEX = 1_000_000_000;
const FIRST_EXCHANGE_INDEX = 2_000_000_000;
const FIRST_HUB_INDEX = 3_000_000_000;
const LOG_POSITION = 1_048_576;

const plain = (address: string): string => address.slice(2).toLowerCase();
const special = (n: number): string => `bb${n.toString(16).padStart(38, "0")}`;

/** Wallets of about 1,000 and 100,000 rows, and of 100,000 swaps (a tenth of all transfers at most). */
export const BULK_WALLETS = { small: special(1), large: special(2), trader: special(3) };
/** With a configurable number of rows. */
export const EXCHANGE = special(4);
/** One row with each of a configurable number of addresses. */
export const HUB = special(5);
/** Each has a pool against the dollar; thousands of transfers of one for each of the other. */
export const BULK_TOKENS = { common: special(104), rare: special(104 + 280) };

const bytes = (hex: string): string => `unhex('${hex}')`;
const addressOf = (of: string): string => `substring(concat(sipHash128(${of}), sipHash128(${of}, 2)), 1, 20)`;
const cubic = (below: number, salt: number): string =>
  `toUInt64(${below} * pow(cityHash64(n, ${salt}) / 18446744073709551616, 3))`;
/** Token 0 is the scenario's dollar, 1 its Harbor, 2 the native coin. */
const tokenOf = (n: string): string =>
  `multiIf(${n} = 0, ${bytes(plain(DEMO_CONTRACTS.usdc))}, ${n} = 1, ${bytes(plain(DEMO_CONTRACTS.harbor))}, ${n} = 2, '', ${tokenExpression(n)})`;
const tokenExpression = (n: string): string =>
  `unhex(concat('bb', leftPad(lower(hex(toUInt64(100 + ${n}))), 38, '0')))`;
const poolOf = (n: string): string => addressOf(`toUInt64(2000000000 + ${n})`);

interface CopiedRange {
  readonly from: number;
  readonly count: number;
}

interface SourceBlocks {
  readonly first_block: number;
  readonly blocks: number;
}

/**
 * Position of transaction `n` of `all`, as `WITH` expressions: equally many in each block, with the times of the
 * scenario's blocks.
 */
const positionExpression = ({ first_block, blocks }: SourceBlocks, all: number, first_index: number): string =>
  `(SELECT groupArray(t) FROM (SELECT toUInt32(time) AS t FROM blocks WHERE network = '${NETWORK}' ORDER BY block_number)) AS times,
    intDiv(n * ${blocks}, ${all}) AS nth,
    ${first_block} + nth AS block, toDateTime(times[nth + 1], 'UTC') AS at,
    toUInt32(${first_index} + n % ${Math.ceil(all / blocks) + 1}) AS tx,
    concat(sipHash128(n, ${first_index}), sipHash128(n, ${first_index}, 4)) AS hash`;

/** One side of plain transfer `n` of `all`. */
const oneOf = (all: number): string => {
  const [rare, often] = [Math.max(2, Math.floor(all / 1_000)), Math.max(10, Math.floor(all / 100_000))];
  return `multiIf(n % ${rare} = 0, ${bytes(BULK_WALLETS.small)}, n % ${often} = 1, ${bytes(BULK_WALLETS.large)}, ${addressOf(cubic(WALLETS, 1))})`;
};

interface Plain {
  readonly story: SourceBlocks;
  readonly piece: CopiedRange;
  readonly all: number;
  readonly first_index: number;
  /** The two sides, as SQL. */
  readonly one: string;
  readonly other: string;
}

const ANYBODY = addressOf(cubic(WALLETS, 2));

const writePlain = async (engine: Engine, { story, piece, all, first_index, one, other }: Plain): Promise<void> => {
  const rows = `WITH ${positionExpression(story, all, first_index)},
      ${one} AS one,
      ${other} AS other,
      cityHash64(n, 9) % 2 = 0 AS is_in,
      ${cubic(TOKENS, 8)} AS kind_of_token,
      ${tokenOf("kind_of_token")} AS coin,
      toUInt256(1 + cityHash64(n, 6) % 1000) * toUInt256(if(kind_of_token = 0, 1000000, 1000000000000000000)) AS quantity,
      if(is_in, other, one) AS giver, if(is_in, one, other) AS taker`;
  const numbers = `FROM (SELECT number AS n FROM numbers(${piece.from}, ${piece.count}))`;
  await engine.command(`INSERT INTO transfers (network, block_number, tx_index, position, time, kind, token, token_id,
      source, destination, amount, sender) ${rows}
    SELECT '${NETWORK}', block, tx, if(coin = '', 0, ${LOG_POSITION} + tx), at, if(coin = '', 'native', 'erc20'), coin, toUInt256(0), giver, taker, quantity, giver ${numbers}`);
  await engine.command(`INSERT INTO transactions (network, block_number, tx_index, hash, time, sender, recipient, value, fee, gas_used,
      nonce, succeeded, selector, created) ${rows}
    SELECT '${NETWORK}', block, tx, hash, at, giver, if(coin = '', taker, coin), if(coin = '', quantity, toUInt256(0)), toUInt256(21000000000000), 21000, 0, 1, if(coin = '', '', unhex('a9059cbb')), '' ${numbers}`);
};

/** Trades at 2 dollars a token: every other one of the trader's is a buy, the rest at random. */
const writeTrades = async (
  engine: Engine,
  story: SourceBlocks,
  [piece, all]: readonly [CopiedRange, number],
): Promise<void> => {
  const own = Math.max(1, Math.floor(all / 100_000));
  const rows = `WITH ${positionExpression(story, all, FIRST_TRADE_INDEX)},
      n % ${own} = 0 AS is_trader,
      if(is_trader, ${bytes(BULK_WALLETS.trader)}, ${addressOf(cubic(WALLETS, 3))}) AS who,
      if(is_trader, 3 + intDiv(n, ${own * 2}) % 20, 3 + ${cubic(POOLS, 4)}) AS which,
      if(is_trader, intDiv(n, ${own}) % 2 = 0, cityHash64(n, 5) % 2 = 0) AS is_buy,
      toUInt256(1 + if(is_trader, intDiv(n, ${own * 2}), cityHash64(n, 6)) % 1000) AS quantity,
      quantity * toUInt256(1000000000000000000) AS coins, quantity * toUInt256(2000000) AS dollars,
      ${poolOf("which")} AS place, ${tokenExpression("which")} AS coin`;
  const numbers = `FROM (SELECT number AS n FROM numbers(${piece.from}, ${piece.count}))`;
  await engine.command(`INSERT INTO transfers (network, block_number, tx_index, position, time, kind, token, token_id,
      source, destination, amount, sender) ${rows}
    SELECT '${NETWORK}', block, tx, ${LOG_POSITION} + 2 * toUInt32(leg.1), at, 'erc20', leg.2, toUInt256(0), if(is_buy = leg.4, place, who), if(is_buy = leg.4, who, place), leg.3, who
    ${numbers} ARRAY JOIN [(1, coin, coins, 1), (0, ${bytes(plain(DEMO_CONTRACTS.usdc))}, dollars, 0)] AS leg`);
  await engine.command(`INSERT INTO swaps (network, pool, block_number, tx_index, log_index, time, tx_hash, caller, recipient, trader, amount0, amount1) ${rows}
    SELECT '${NETWORK}', place, block, tx, tx, at, hash, who, who, who, if(is_buy, -1, 1) * toInt256(coins), if(is_buy, 1, -1) * toInt256(dollars) ${numbers}`);
  await engine.command(`INSERT INTO transactions (network, block_number, tx_index, hash, time, sender, recipient, value, fee, gas_used,
      nonce, succeeded, selector, created) ${rows}
    SELECT '${NETWORK}', block, tx, hash, at, who, place, toUInt256(0), toUInt256(21000000000000), 21000, 0, 1, unhex('022c0d9f'), '' ${numbers}`);
};

const NEW_ROWS = `tx_index >= ${FIRST_INDEX} AND tx_index < 4294967295`;

/** Adds the new rows of some blocks to the layouts and balances, below the scenario's own marker. */
export const addLayouts = async (engine: Engine, range: NetworkRange): Promise<void> => {
  const params = rangeParams(range);
  for (const layout of LAYOUT_TABLES) {
    const columns = columnsOf(layout).join(", ");
    const rows = `SELECT ${columns} FROM (${layoutSelect(layout)}) WHERE ${NEW_ROWS}`;
    await engine.command(`INSERT INTO ${layout} (${columns}) ${rows}`, { params });
  }
  for (const order of ["balances", "balances_by_holder"])
    await engine.command(
      `INSERT INTO ${order} (network, token, holder, amount, high, transfers, first_block, last_block)
    SELECT '${NETWORK}', token, side.1 AS holder, sum(side.2), sum(side.3), count(), min(block_number), max(block_number)
    FROM transfers ARRAY JOIN [
      (source, -toInt256(amount), -toInt256(bitShiftRight(amount, 128))),
      (destination, toInt256(amount), toInt256(bitShiftRight(amount, 128)))] AS side
    WHERE network = {network:String} AND ${NEW_ROWS} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
    GROUP BY token, holder`,
      { params },
    );
};

const writeMarkets = async (engine: Engine, { first_block, blocks }: SourceBlocks): Promise<void> => {
  const dollar = bytes(plain(DEMO_CONTRACTS.usdc));
  const last_block = first_block + blocks - 1;
  await engine.command(`INSERT INTO tokens (network, token, standard, name, symbol, decimals, total_supply, read_at_block)
    SELECT '${NETWORK}', ${tokenExpression("number")}, 'erc20', concat('Bulk ', toString(number)), concat('B', toString(number)), 18, toUInt256('1000000000000000000000000000'), ${last_block}
    FROM numbers(3, ${TOKENS - 3})`);
  await engine.command(`INSERT INTO pools (network, pool, family, venue, factory, token0, token1, fee_ppm, tick_spacing, block_number,
      tx_index, log_index, time, tx_hash, creator)
    SELECT '${NETWORK}', ${poolOf("number")}, 'uniswap_v2', (SELECT any(venue) FROM pools WHERE family = 'uniswap_v2' AND venue != ''), '', ${tokenExpression("number")}, ${dollar}, 3000, 0,
      ${first_block}, ${FIRST_INDEX}, ${FIRST_INDEX} + number, (SELECT min(time) FROM blocks), '', ''
    FROM numbers(3, ${POOLS})`);
  await engine.command(`INSERT INTO pool_states (network, pool, block_number, log_index, time, reserve0, reserve1, sqrt_price_x96, liquidity, tick)
    SELECT '${NETWORK}', pools.pool, b.block_number, ${FIRST_INDEX} + pools.nth, b.time, toUInt256('1000000000000000000000000'), toUInt256('2000000000000'), toUInt256(0), toUInt256(0), 0
    FROM blocks AS b CROSS JOIN (SELECT number AS nth, ${poolOf("number")} AS pool FROM numbers(3, ${POOLS})) AS pools
    WHERE b.network = '${NETWORK}' AND b.tail = 0`);
  await engine.command(`INSERT INTO prices (network, token, hour, price_usd, volume_usd, depth_usd, method, confidence, version)
    SELECT '${NETWORK}', coins.token, p.hour, 2, 100000, 4000000, 'vwap', 'high', toUnixTimestamp(p.hour)
    FROM (SELECT DISTINCT hour FROM prices WHERE network = '${NETWORK}') AS p CROSS JOIN (SELECT ${tokenExpression("number")} AS token FROM numbers(3, ${POOLS})) AS coins`);
};

export interface BlownUpSize {
  readonly transfers?: number;
  /** Rows of one exchange beside them. */
  readonly exchange_rows?: number;
  readonly hub_peers?: number;
}

/** Adds to an indexed demo world, once. */
export const blowUp = async (
  engine: Engine,
  { transfers = 0, exchange_rows = 0, hub_peers = 0 }: BlownUpSize,
): Promise<void> => {
  const [[first, blocks] = []] = await engine.query(
    `SELECT min(block_number), count() FROM blocks WHERE network = '${NETWORK}' AND tail = 0`,
  );
  const story: SourceBlocks = { first_block: Number(first), blocks: Number(blocks) };
  await writeMarkets(engine, story);
  const trades = Math.floor(transfers / 10);
  const alone = transfers - 2 * trades;
  const chunks = Math.ceil((transfers + exchange_rows + hub_peers) / CHUNK_TRANSFERS);
  const pieceOf = (all: number, nth: number): CopiedRange => {
    const from = Math.floor((nth * all) / chunks);
    return { from, count: Math.floor(((nth + 1) * all) / chunks) - from };
  };
  const parts = [
    { all: alone, first_index: FIRST_INDEX, one: oneOf(alone), other: ANYBODY },
    { all: exchange_rows, first_index: FIRST_EXCHANGE_INDEX, one: bytes(EXCHANGE), other: ANYBODY },
    { all: hub_peers, first_index: FIRST_HUB_INDEX, one: bytes(HUB), other: addressOf("toUInt64(3000000000 + n)") },
  ].filter(({ all }) => all > 0);
  for (let nth = 0; nth < chunks; nth += 1) {
    for (const part of parts) await writePlain(engine, { story, piece: pieceOf(part.all, nth), ...part });
    if (trades > 0) await writeTrades(engine, story, [pieceOf(trades, nth), trades]);
  }
  const step = Math.ceil(story.blocks / chunks);
  for (let from = story.first_block; from < story.first_block + story.blocks; from += step)
    await addLayouts(engine, { network: NETWORK, from, to: from + step - 1 });
};
