-- The rows of token_ledger_final that follow from the transfers of final blocks.
SELECT network, token, block_number, tx_index, position, time, source, destination, amount
FROM transfers_final
WHERE network = {network:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
ORDER BY token, block_number, tx_index, position
