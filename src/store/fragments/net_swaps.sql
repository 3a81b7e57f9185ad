-- Swaps of some pools from `since` to `until` (both inside), those of one transaction in one pool as their sum: what it
-- trades and trades back, perhaps with borrowed money, is no trade. pools: hex.
SELECT o.pool AS pool, o.trader AS trader, o.block_number AS block_number, o.tx_index AS tx_index, any(o.time) AS time,
  sum(o.amount0) AS amount0, sum(o.amount1) AS amount1
FROM swaps AS o
WHERE o.network = {network:String} AND o.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS pool)
  AND o.time >= toDateTime({since:UInt32}, 'UTC') AND o.time <= toDateTime({until:UInt32}, 'UTC')
GROUP BY o.pool, o.trader, o.block_number, o.tx_index
HAVING (sum(o.amount0) > 0 AND sum(o.amount1) < 0) OR (sum(o.amount0) < 0 AND sum(o.amount1) > 0)
