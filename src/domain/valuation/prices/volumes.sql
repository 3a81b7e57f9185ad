-- Traded volumes of pools, by hour. A swap that did not exchange one token for the other is no trade. pools: addresses
-- as hex, an empty list means all.
SELECT
  lower(hex(s.pool)) AS pool,
  toUnixTimestamp(toStartOfHour(s.time)) AS hour,
  sum(abs(s.amount0)) AS volume0,
  sum(bitShiftRight(abs(s.amount0), 128)) AS volume0_high,
  sum(abs(s.amount1)) AS volume1,
  sum(bitShiftRight(abs(s.amount1), 128)) AS volume1_high
FROM swaps AS s
WHERE s.network = {network:String}
  AND (empty({pools:Array(String)}) OR s.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted))
  AND ((s.amount0 > 0 AND s.amount1 < 0) OR (s.amount0 < 0 AND s.amount1 > 0))
GROUP BY s.pool, hour
ORDER BY pool, hour
