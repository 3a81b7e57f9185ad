-- One stored final block.
SELECT lower(hex(hash)) AS hash, lower(hex(parent_hash)) AS parent_hash
FROM blocks
WHERE tail = 0 AND network = {network:String} AND block_number = {number:UInt64}
ORDER BY block_number
LIMIT 1
