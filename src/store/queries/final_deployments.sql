-- The final rows of deployments that follow from the contracts of final blocks.
SELECT network, creator, block_number, tx_index, position, time, tx_hash, address, method, factory, code_hash
FROM contracts
WHERE tail = 0 AND network = {network:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND event = 'created'
ORDER BY creator, block_number, tx_index, position
