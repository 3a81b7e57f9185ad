-- The first movement of one wallet. wallet: hex.
SELECT lower(hex(l.tx_hash)) AS tx_hash, toUnixTimestamp(l.time) AS time
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
ORDER BY l.block_number, l.tx_index, l.position
LIMIT 1
