-- Trades of one wallet in pools of known factories, the newest first, net of round trips inside a transaction. wallet: hex. before_block,
-- before_tx, before_pool: the last row of the page before.
SELECT
  s.block_number AS block_number, s.tx_index AS tx_index, toUnixTimestamp(any(s.time)) AS time, lower(hex(s.pool)) AS pool,
  lower(hex(s.trader)) AS trader, sum(s.amount0) AS amount0, sum(s.amount1) AS amount1
FROM swaps AS s
WHERE s.network = {network:String} AND s.trader = unhex({wallet:String})
  AND (s.block_number, s.tx_index) IN (
    SELECT l.block_number, l.tx_index
    FROM ledger AS l
    PREWHERE l.network = {network:String} AND l.address = unhex({wallet:String})
    WHERE l.block_number <= {before_block:UInt64})
GROUP BY s.pool, s.trader, s.block_number, s.tx_index
HAVING ((sum(s.amount0) > 0 AND sum(s.amount1) < 0) OR (sum(s.amount0) < 0 AND sum(s.amount1) > 0))
  AND (s.block_number, s.tx_index, lower(hex(s.pool))) < ({before_block:UInt64}, {before_tx:UInt32}, {before_pool:String})
ORDER BY block_number DESC, tx_index DESC, pool DESC
LIMIT {most:UInt32}
