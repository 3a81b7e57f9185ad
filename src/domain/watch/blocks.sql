-- Blocks of the snapshot's range, in order.
SELECT block_number, lower(hex(hash)) AS hash, time
FROM blocks
WHERE network = {network:String}
ORDER BY block_number
