-- The final rows of ledger that follow from the transfers of final blocks: one per side that is an address. signer has the
-- column's own type, because rows are hashed.
SELECT
  network, side.1 AS address, block_number, tx_index, position, side.2 AS direction, time, kind, token,
  token_id, side.3 AS peer, amount,
  CAST(multiIf(sender = side.1, 'own', sender != '' AND sender = side.3, 'peer', 'other') AS Enum8('other' = 0, 'own' = 1, 'peer' = 2)) AS signer
FROM transfers
ARRAY JOIN [(source, toInt8(-1), destination), (destination, toInt8(1), source)] AS side
WHERE tail = 0 AND network = {network:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND side.1 != ''
ORDER BY address, block_number, tx_index, position, direction
