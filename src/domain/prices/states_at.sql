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
  AND s.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (s._table = 'pool_states_final') = (s.block_number <= {final_block:UInt64})
  AND (s.pool, s.block_number) IN (
    SELECT n.pool, max(n.block_number)
    FROM pool_states AS n
    PREWHERE n.network = {network:String}
      AND (empty({pools:Array(String)}) OR n.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted))
    WHERE n.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
      AND (n._table = 'pool_states_final') = (n.block_number <= {final_block:UInt64})
    GROUP BY n.pool
  )
ORDER BY pool, s.log_index DESC
LIMIT 1 BY pool
