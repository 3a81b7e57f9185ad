-- The newest block that is not younger than `time` (unix seconds).
SELECT block_number, lower(hex(hash)) AS hash, time
FROM blocks
WHERE network = {network:String}
  AND time <= toDateTime({time:UInt32}, 'UTC')
  AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (_table = 'blocks_final') = (block_number <= {final_block:UInt64})
ORDER BY network DESC, block_number DESC
LIMIT 1
