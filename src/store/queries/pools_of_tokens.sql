-- Pools that trade any of these tokens: announced up to to_block, or read from the pool itself. tokens: as hex.
-- hooks: '' where there are none, or none are known.
SELECT
  lower(hex(pool)) AS pool,
  any(family) AS family,
  any(venue) AS venue,
  lower(hex(any(factory))) AS factory,
  lower(hex(any(token0))) AS token0,
  lower(hex(any(token1))) AS token1,
  any(fee_ppm) AS fee_ppm,
  any(tick_spacing) AS tick_spacing,
  lower(hex(any(hooks))) AS hooks,
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
