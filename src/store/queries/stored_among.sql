-- Those of some final blocks that are stored.
SELECT block_number
FROM blocks
WHERE network = {network:String} AND tail = 0 AND block_number IN {numbers:Array(UInt64)}
ORDER BY block_number
