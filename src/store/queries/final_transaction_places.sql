-- The rows of transaction_places_final that follow from the transactions of final blocks.
SELECT network, hash, block_number, tx_index
FROM transactions_final
WHERE network = {network:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
ORDER BY hash, block_number, tx_index
