-- The final rows of transaction_places that follow from the transactions of final blocks.
SELECT network, substring(hash, 1, 8) AS hash_prefix, block_number, tx_index
FROM transactions
WHERE tail = 0 AND network = {network:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
ORDER BY hash_prefix, block_number, tx_index
