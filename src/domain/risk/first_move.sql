-- The first movement of one wallet: no fees, nothing to itself. wallet: hex.
SELECT lower(hex(l.tx_hash)) AS tx_hash, toUnixTimestamp(l.time) AS time
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  AND l.kind NOT IN ('fee', 'tip', 'rent', 'wrap') AND l.peer != l.address
ORDER BY l.block_number, l.tx_index, l.position
LIMIT 1
