-- First and last swap of pools. Pools without a swap are absent. pools: as hex.
SELECT
  lower(hex(s.pool)) AS pool,
  min(s.block_number) AS first_block,
  toUnixTimestamp(max(s.time)) AS last_time
FROM swaps AS s
WHERE s.network = {network:String}
  AND s.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
GROUP BY s.pool
ORDER BY pool
