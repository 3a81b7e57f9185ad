-- Swaps of wallets in pools, oldest first. pools, wallets: as hex.
SELECT
  lower(hex(s.pool)) AS pool,
  s.block_number AS block_number,
  s.log_index AS log_index,
  toUnixTimestamp(s.time) AS time,
  lower(hex(s.tx_hash)) AS tx_hash,
  lower(hex(s.trader)) AS wallet,
  s.amount0 AS amount0,
  s.amount1 AS amount1
FROM swaps AS s
WHERE s.network = {network:String}
  AND s.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
  AND s.trader IN (SELECT unhex(arrayJoin({wallets:Array(String)})) AS wanted)
ORDER BY block_number, log_index, pool
LIMIT {limit:UInt32}
