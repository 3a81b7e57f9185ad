-- Liquidity of concentrated pools by tick range: additions minus removals. pools: addresses as hex.
SELECT
  lower(hex(e.pool)) AS pool,
  e.tick_lower AS tick_lower,
  e.tick_upper AS tick_upper,
  sum(if(e.kind = 'mint', 1, -1) * toInt256(e.liquidity)) AS net
FROM liquidity_events AS e
WHERE e.network = {network:String}
  AND e.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
  AND e.kind IN ('mint', 'burn')
GROUP BY e.pool, e.tick_lower, e.tick_upper
HAVING net != 0
ORDER BY pool, tick_lower, tick_upper
