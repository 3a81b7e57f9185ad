-- The most that each side of constant-product pools ever held, and when it first did. pools: as hex.
SELECT
  lower(hex(s.pool)) AS pool,
  max(s.reserve0) AS reserve0,
  max(s.reserve1) AS reserve1,
  toUnixTimestamp(argMax(s.time, (s.reserve0, -toInt64(s.block_number)))) AS time0,
  toUnixTimestamp(argMax(s.time, (s.reserve1, -toInt64(s.block_number)))) AS time1
FROM pool_states AS s
WHERE s.network = {network:String}
  AND s.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
GROUP BY s.pool
ORDER BY pool
