-- The final rows of token_ledger that follow from the transfers of final blocks.
SELECT network, token, block_number, tx_index, position, time, source, destination, amount
FROM transfers
WHERE tail = 0 AND network = {network:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
ORDER BY token, block_number, tx_index, position
