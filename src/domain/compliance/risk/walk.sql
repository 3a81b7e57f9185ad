-- Movements of these addresses, newest first within each: without fees, wraps and movements to themselves. addresses,
-- wrapped: hex. wrapped: the wrapped native coin ('' = none), whose deposits and withdrawals move nothing from one
-- owner to another. per_address: rows of one address at most.
SELECT
  lower(hex(l.address)) AS address,
  l.direction AS direction,
  l.block_number AS block_number,
  l.tx_index AS tx_index,
  l.position AS position,
  toUnixTimestamp(l.time) AS time,
  l.kind IN ('erc721', 'erc1155') AS is_collectible,
  lower(hex(l.token)) AS token,
  l.token_id AS token_id,
  lower(hex(l.peer)) AS peer,
  l.amount AS amount
FROM ledger AS l
WHERE l.network = {network:String}
  AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
  AND l.kind NOT IN ('fee', 'tip', 'rent', 'wrap')
  AND l.peer != l.address
  AND NOT ({wrapped:String} != '' AND l.token = '' AND l.peer = unhex({wrapped:String}))
ORDER BY address, block_number DESC, tx_index DESC, position DESC, direction
LIMIT {per_address:UInt32} BY address
