-- States of pools at the ends of the blocks that changed them, by hour: what one transaction does and undoes in a block
-- is not among them. reserve0 to state_log: the last state of the hour. ends: of each such block, its time and the raw
-- price of token0 in token1; 0 without a price. pools: addresses as hex, an empty list means all.
SELECT
  lower(hex(e.pool)) AS pool,
  e.hour AS hour,
  newest.1 AS reserve0,
  newest.2 AS reserve1,
  newest.3 AS sqrt_price_x96,
  newest.4 AS liquidity,
  newest.5 AS tick,
  newest.7 AS state_block,
  newest.6 AS state_log,
  arrayMap(one -> one.2, ends) AS seconds,
  arrayMap(one -> one.3, ends) AS ratios
FROM (
  SELECT
    b.pool AS pool,
    b.hour AS hour,
    argMax(tuple(b.state.1, b.state.2, b.state.3, b.state.4, b.state.5, b.state.6, b.block_number), b.block_number) AS newest,
    arraySort(groupArray(tuple(
      b.block_number,
      b.second,
      if(b.state.3 > 0,
        if(b.state.4 > 0, pow(toFloat64(b.state.3) / pow(2, 96), 2), 0),
        if(b.state.1 > 0, toFloat64(b.state.2) / toFloat64(b.state.1), 0))))) AS ends
  FROM (
    SELECT
      s.pool AS pool,
      s.block_number AS block_number,
      toUnixTimestamp(toStartOfHour(any(s.time))) AS hour,
      toUnixTimestamp(any(s.time)) AS second,
      argMax(tuple(s.reserve0, s.reserve1, s.sqrt_price_x96, s.liquidity, s.tick, s.log_index), s.log_index) AS state
    FROM pool_states AS s
    WHERE s.network = {network:String}
      AND (empty({pools:Array(String)}) OR s.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted))
    GROUP BY s.pool, s.block_number
  ) AS b
  GROUP BY b.pool, b.hour
) AS e
ORDER BY pool, hour
