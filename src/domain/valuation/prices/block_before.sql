-- The newest block before a moment, no row without one. before: unix seconds.
SELECT b.block_number AS block_number
FROM blocks AS b
WHERE b.network = {network:String}
  AND b.time < toDateTime({before:UInt32}, 'UTC')
ORDER BY b.block_number DESC
LIMIT 1
