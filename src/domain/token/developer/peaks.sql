-- The largest reserve that each side of constant-product pools ever had, when it was first reached, and the reserves
-- since their last change; for other pools only the newest state, if they changed from the block `lately` on. A
-- position in the chain is one number: comparing pairs would cost as much as the rest of the query. pools, others: as
-- hex.
SELECT
  lower(hex(s.pool)) AS pool,
  max(s.reserve0) AS reserve0,
  max(s.reserve1) AS reserve1,
  toUnixTimestamp(argMax(s.time, (s.reserve0, -toInt64(s.block_number)))) AS time0,
  toUnixTimestamp(argMax(s.time, (s.reserve1, -toInt64(s.block_number)))) AS time1,
  argMax((s.reserve0, s.reserve1, toUnixTimestamp(s.time), s.sqrt_price_x96, s.liquidity, s.tick),
    bitShiftLeft(s.block_number, 32) + s.log_index) AS newest,
  newest.1 AS last0,
  newest.2 AS last1,
  newest.3 AS last_time,
  newest.4 AS sqrt_price_x96,
  newest.5 AS liquidity,
  newest.6 AS tick
FROM pool_states AS s
WHERE s.network = {network:String}
  AND (s.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
    OR (s.block_number >= {lately:UInt64} AND s.pool IN (SELECT unhex(arrayJoin({others:Array(String)})) AS wanted)))
GROUP BY s.pool
ORDER BY pool
