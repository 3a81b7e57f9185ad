-- Hours that have blocks, with their first and last block.
-- until: unix seconds, exclusive.
SELECT
  toUnixTimestamp(toStartOfHour(b.time)) AS hour,
  min(b.block_number) AS first_block,
  max(b.block_number) AS last_block
FROM blocks AS b
WHERE b.network = {network:String}
  AND b.time < toDateTime({until:UInt32}, 'UTC')
GROUP BY hour
ORDER BY hour
