-- The last block of each step that has blocks. starts: first unix seconds of the steps, ascending. since: the first of
-- them. until: unix seconds, exclusive.
SELECT
  toUInt32(roundDown(toUnixTimestamp(b.time), arrayPushFront({starts:Array(UInt32)}, 0))) AS start,
  max(b.block_number) AS block_number,
  lower(hex(argMax(b.hash, b.block_number))) AS hash,
  max(b.time) AS time
FROM blocks AS b
WHERE b.network = {network:String}
  AND b.time >= toDateTime({since:UInt32}, 'UTC')
  AND b.time < toDateTime({until:UInt32}, 'UTC')
GROUP BY start
ORDER BY start
