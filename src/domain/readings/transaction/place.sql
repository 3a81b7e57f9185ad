-- Where a transaction stands. hash: as hex.
SELECT p.block_number AS block_number, p.tx_index AS tx_index
FROM transaction_places AS p
WHERE p.network = {network:String} AND p.hash = unhex({hash:String})
ORDER BY block_number, tx_index
