-- The last state of pools at a block. Two steps, so that only the granules of the newest blocks are read in full.
-- pools: addresses as hex, an empty list means all.
SELECT
  lower(hex(s.pool)) AS pool,
  s.reserve0 AS reserve0,
  s.reserve1 AS reserve1,
  s.sqrt_price_x96 AS sqrt_price_x96,
  s.liquidity AS liquidity,
  s.tick AS tick,
  s.time AS time
FROM pool_states AS s
WHERE s.network = {network:String}
  AND (s.pool, s.block_number) IN (
    SELECT n.pool, max(n.block_number)
    FROM pool_states AS n
    PREWHERE n.network = {network:String}
      AND (empty({pools:Array(String)}) OR n.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted))
    GROUP BY n.pool
  )
ORDER BY pool, s.log_index DESC
LIMIT 1 BY pool
