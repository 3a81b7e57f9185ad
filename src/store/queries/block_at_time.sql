-- The newest block that is not younger than `time` (unix seconds).
SELECT block_number, lower(hex(hash)) AS hash, time
FROM blocks
WHERE network = {network:String}
  AND time <= toDateTime({time:UInt32}, 'UTC')
ORDER BY network DESC, block_number DESC
LIMIT 1
