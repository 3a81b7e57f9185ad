-- Liquidity that entered (left, when negative) the range around the price of concentrated pools, by hour and by the state
-- before it: only a trade reports the whole. after_block: from this block on. pools: addresses or ids as hex.
SELECT
  lower(hex(e.pool)) AS pool,
  toUnixTimestamp(toStartOfHour(e.time)) AS hour,
  t.block_number AS state_block,
  t.log_index AS state_log,
  sum(e.units) AS delta
FROM (
  SELECT
    l.pool AS pool,
    l.time AS time,
    l.block_number * 4294967296 + l.log_index AS place,
    if(l.kind = 'mint', 1, -1) * toInt256(l.liquidity) AS units,
    l.tick_lower AS tick_lower,
    l.tick_upper AS tick_upper
  FROM liquidity_events AS l
  WHERE l.network = {network:String}
    AND l.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
    AND l.kind IN ('mint', 'burn')
    AND l.block_number >= {after_block:UInt64}
) AS e
ASOF JOIN (
  SELECT
    s.pool AS pool,
    s.block_number * 4294967296 + s.log_index AS place,
    s.block_number AS block_number,
    s.log_index AS log_index,
    s.tick AS tick
  FROM pool_states AS s
  WHERE s.network = {network:String}
    AND s.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
) AS t ON e.pool = t.pool AND e.place > t.place
WHERE e.tick_lower <= t.tick AND t.tick < e.tick_upper
GROUP BY e.pool, hour, t.block_number, t.log_index
ORDER BY pool, hour, state_block, state_log
