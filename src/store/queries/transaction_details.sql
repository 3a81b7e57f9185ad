-- Transactions at given places: hash, who signed, what was called, whether it failed; none where a block moved coins without one.
SELECT t.block_number AS block_number, t.tx_index AS tx_index, lower(hex(t.hash)) AS hash, lower(hex(t.sender)) AS sender,
  lower(hex(t.recipient)) AS recipient, t.succeeded AS succeeded, lower(hex(t.selector)) AS selector,
  lower(hex(t.created)) AS created
FROM transactions AS t
WHERE t.network = {network:String}
  AND t.block_number IN {blocks:Array(UInt64)}
  AND (t.block_number, t.tx_index) IN (
    SELECT arrayJoin(arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)})) AS place)
ORDER BY block_number, tx_index
