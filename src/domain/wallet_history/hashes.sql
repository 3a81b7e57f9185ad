-- Hashes of transactions at given places that moved something of one wallet. wallet: hex.
SELECT DISTINCT l.block_number AS block_number, l.tx_index AS tx_index, lower(hex(l.tx_hash)) AS tx_hash
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  AND l.block_number IN {blocks:Array(UInt64)}
  AND (l.block_number, l.tx_index) IN (
    SELECT arrayJoin(arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)})) AS place)
ORDER BY block_number, tx_index
