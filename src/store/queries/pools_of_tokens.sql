-- Pools that trade any of these tokens: announced up to to_block, or read from the pool itself. tokens: as hex.
-- A pool announced by a known and an unknown factory belongs to the known one. hooks: '' when it has none, or they are unknown.
SELECT
  @known_pool
  lower(hex(argMax(hooks, venue != ''))) AS hooks,
  min(created_block) AS created_block,
  max(created_block) AS last_created
FROM (
  SELECT pool, family, venue, factory, token0, token1, fee_ppm, tick_spacing, hooks, toNullable(block_number) AS created_block
  FROM pools
  WHERE network = {network:String}
  UNION ALL
  SELECT pool, family, venue, factory, token0, token1, fee_ppm, tick_spacing, '', NULL
  FROM pools_read
  WHERE network = {network:String}
)
WHERE token0 IN (SELECT unhex(arrayJoin({tokens:Array(String)}))) OR token1 IN (SELECT unhex(arrayJoin({tokens:Array(String)})))
GROUP BY pool
ORDER BY pool
