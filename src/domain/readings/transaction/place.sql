-- Where a transaction stands. hash: as hex.
SELECT p.block_number AS block_number, p.tx_index AS tx_index
FROM transaction_places AS p
WHERE p.network = {network:String} AND p.hash = unhex({hash:String})
  AND p.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (p._table = 'transaction_places_final') = (p.block_number <= {final_block:UInt64})
ORDER BY block_number, tx_index
