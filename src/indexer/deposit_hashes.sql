-- Hashes of final transactions at given positions.
SELECT t.block_number AS block_number, t.tx_index AS tx_index, lower(hex(t.hash)) AS tx_hash
FROM transactions AS t
WHERE t.tail = 0 AND t.network = {network:String}
  AND t.block_number IN {blocks:Array(UInt64)}
  AND (t.block_number, t.tx_index) IN (
    SELECT arrayJoin(arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)})) AS place)
ORDER BY block_number, tx_index
