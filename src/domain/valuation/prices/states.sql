-- The last state of pools in every hour in which it changed.
-- pools: addresses as hex, an empty list means all.
SELECT pool, hour, newest.1 AS reserve0, newest.2 AS reserve1, newest.3 AS sqrt_price_x96, newest.4 AS liquidity
FROM (
  SELECT
    lower(hex(s.pool)) AS pool,
    toUnixTimestamp(toStartOfHour(s.time)) AS hour,
    argMax(
      tuple(s.reserve0, s.reserve1, s.sqrt_price_x96, s.liquidity),
      tuple(s.block_number, s.log_index)) AS newest
  FROM pool_states AS s
  WHERE s.network = {network:String}
    AND (empty({pools:Array(String)}) OR s.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted))
  GROUP BY s.pool, hour
)
ORDER BY pool, hour
