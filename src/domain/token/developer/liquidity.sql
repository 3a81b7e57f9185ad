-- Liquidity that wallets added to pools and removed from them, by the sender of the transaction, oldest first. The
-- sender of a transaction paid its fee, and the ledger finds that by wallet. pools, wallets: as hex. Events of pools
-- that another contract holds (32 bytes) have no amounts. The query derives them from the range and the price right
-- before, as in prices/singleton_reserves.
WITH
  sent AS (
    SELECT l.block_number AS block_number, l.tx_index AS tx_index, l.address AS wallet
    FROM ledger AS l
    WHERE l.network = {network:String}
      AND l.address IN (SELECT unhex(arrayJoin({wallets:Array(String)})) AS wanted)
      AND l.kind = 'fee' AND l.direction = -1
  ),
  events AS (
    SELECT
      e.pool AS pool, e.kind AS kind, e.block_number AS block_number, e.log_index AS log_index, e.time AS time,
      e.tx_hash AS tx_hash, s.wallet AS wallet, e.amount0 AS amount0, e.amount1 AS amount1,
      e.block_number * 4294967296 + e.log_index AS place,
      toFloat64(e.liquidity) AS units,
      pow(1.0001, e.tick_lower / 2) AS low,
      pow(1.0001, e.tick_upper / 2) AS high
    FROM liquidity_events AS e
    INNER JOIN sent AS s ON s.block_number = e.block_number AND s.tx_index = e.tx_index
    WHERE e.network = {network:String}
      AND e.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
      AND e.kind IN ('mint', 'burn')
  ),
  states AS (
    SELECT
      t.pool AS pool,
      t.block_number * 4294967296 + t.log_index AS place,
      toFloat64(t.sqrt_price_x96) / pow(2, 96) AS root
    FROM pool_states AS t
    WHERE t.network = {network:String}
      AND length(t.pool) = 32
      AND t.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
  )
SELECT
  lower(hex(v.pool)) AS pool,
  v.kind AS kind,
  v.block_number AS block_number,
  v.log_index AS log_index,
  toUnixTimestamp(v.time) AS time,
  lower(hex(v.tx_hash)) AS tx_hash,
  lower(hex(v.wallet)) AS wallet,
  if(length(v.pool) = 32,
    toUInt256(round(v.units * (1 / least(greatest(p.root, v.low), v.high) - 1 / v.high))), v.amount0) AS amount0,
  if(length(v.pool) = 32,
    toUInt256(round(v.units * (least(greatest(p.root, v.low), v.high) - v.low))), v.amount1) AS amount1
FROM events AS v
ASOF LEFT JOIN states AS p ON v.pool = p.pool AND v.place > p.place
ORDER BY block_number, log_index, pool
LIMIT {limit:UInt32}
