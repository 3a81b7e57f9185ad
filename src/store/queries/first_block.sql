-- The oldest block of the range.
SELECT block_number, time
FROM blocks
WHERE network = {network:String}
ORDER BY network, block_number
LIMIT 1
