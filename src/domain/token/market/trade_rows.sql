-- Trades of one token in some pools, the newest first, net of round trips inside a transaction: what a trader got and gave in
-- one pool and transaction. pools: hex. since, until: unix seconds, inside. before_block, before_tx, before_pool: the last row
-- of the page before.
SELECT
  s.block_number AS block_number, s.tx_index AS tx_index, toUnixTimestamp(s.time) AS time, lower(hex(s.pool)) AS pool,
  lower(hex(s.trader)) AS trader, s.amount0 AS amount0, s.amount1 AS amount1
FROM (
  @net_swaps
) AS s
WHERE (s.block_number, s.tx_index, lower(hex(s.pool))) < ({before_block:UInt64}, {before_tx:UInt32}, {before_pool:String})
ORDER BY block_number DESC, tx_index DESC, pool DESC
LIMIT {most:UInt32}
