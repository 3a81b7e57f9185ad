-- Changes of the holdings of pools in one contract by swaps and liquidity, by hour, from a block on. The event of a
-- liquidity change does not report its amounts: they follow from its range and the pool's price right before it
-- (v4-core SqrtPriceMath, in doubles). pools: ids as hex.
SELECT m.pool AS pool, m.hour AS hour, sum(m.delta0) AS delta0, sum(m.delta1) AS delta1
FROM (
  SELECT
    lower(hex(s.pool)) AS pool,
    toUnixTimestamp(toStartOfHour(s.time)) AS hour,
    toFloat64(s.amount0) AS delta0,
    toFloat64(s.amount1) AS delta1
  FROM swaps AS s
  WHERE s.network = {network:String}
    AND s.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
    AND s.block_number >= {after_block:UInt64}
  UNION ALL
  SELECT
    lower(hex(e.pool)) AS pool,
    toUnixTimestamp(toStartOfHour(e.time)) AS hour,
    e.units * (1 / least(greatest(p.root, e.low), e.high) - 1 / e.high) AS delta0,
    e.units * (least(greatest(p.root, e.low), e.high) - e.low) AS delta1
  FROM (
    SELECT
      l.pool AS pool,
      l.time AS time,
      l.block_number * 4294967296 + l.log_index AS place,
      if(l.kind = 'mint', 1, -1) * toFloat64(l.liquidity) AS units,
      pow(1.0001, l.tick_lower / 2) AS low,
      pow(1.0001, l.tick_upper / 2) AS high
    FROM liquidity_events AS l
    WHERE l.network = {network:String}
      AND l.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
      AND l.kind IN ('mint', 'burn')
      AND l.block_number >= {after_block:UInt64}
  ) AS e
  ASOF JOIN (
    SELECT
      t.pool AS pool,
      t.block_number * 4294967296 + t.log_index AS place,
      toFloat64(t.sqrt_price_x96) / pow(2, 96) AS root
    FROM pool_states AS t
    WHERE t.network = {network:String}
      AND t.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
  ) AS p ON e.pool = p.pool AND e.place > p.place
) AS m
GROUP BY m.pool, m.hour
ORDER BY pool, hour
