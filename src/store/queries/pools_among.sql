-- These pools: announced up to to_block, or read from the pool itself. pools: as hex.
-- A pool that an unknown factory announced too is the known one's.
SELECT
  @known_pool
  min(created_block) AS created_block,
  max(created_block) AS last_created
FROM (
  SELECT pool, family, venue, factory, token0, token1, fee_ppm, tick_spacing, toNullable(block_number) AS created_block
  FROM pools
  WHERE network = {network:String}
  UNION ALL
  SELECT pool, family, venue, factory, token0, token1, fee_ppm, tick_spacing, NULL
  FROM pools_read
  WHERE network = {network:String}
)
WHERE pool IN (SELECT unhex(arrayJoin({pools:Array(String)})))
GROUP BY pool
ORDER BY pool
