-- Swaps of one block in these pools, in their order. pools: hex.
SELECT lower(hex(s.pool)) AS pool, s.tx_index AS tx_index, s.log_index AS log_index, lower(hex(s.tx_hash)) AS tx_hash,
  lower(hex(s.trader)) AS trader, s.amount0 AS amount0
FROM swaps AS s
WHERE s.network = {network:String} AND s.block_number = {block:UInt64}
  AND s.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
ORDER BY tx_index, log_index, pool
