-- Trades of some pools in given transactions. pools: hex.
SELECT s.block_number AS block_number, s.tx_index AS tx_index, lower(hex(s.pool)) AS pool, s.amount0 AS amount0,
  s.amount1 AS amount1
FROM swaps AS s
WHERE s.network = {network:String}
  AND s.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
  AND s.block_number IN {blocks:Array(UInt64)}
  AND (s.block_number, s.tx_index) IN (
    SELECT arrayJoin(arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)})) AS place)
ORDER BY block_number, tx_index, s.log_index, pool
