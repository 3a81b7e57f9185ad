-- Position of the first movement of one wallet. wallet: hex.
SELECT l.block_number AS block_number, l.tx_index AS tx_index, toUnixTimestamp(l.time) AS time
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
ORDER BY l.block_number, l.tx_index, l.position
LIMIT 1
