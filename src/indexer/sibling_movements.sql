-- Movements of accounts in final blocks before a time, oldest first. addresses: hex. until: unix seconds, outside.
-- direction: 1 in, -1 out. Fees are no movements.
SELECT lower(hex(l.address)) AS address, lower(hex(l.peer)) AS peer, lower(hex(l.token)) AS token, l.direction AS direction,
  l.amount AS amount, toUnixTimestamp(l.time) AS time, l.block_number AS block_number, l.tx_index AS tx_index
FROM ledger AS l
WHERE l.tail = 0 AND l.network = {network:String} AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
  AND l.time < toDateTime({until:UInt32}, 'UTC')
  AND l.amount > 0 AND l.kind NOT IN ('fee', 'tip', 'rent', 'erc721', 'erc1155')
ORDER BY address, block_number, tx_index, l.position, direction
LIMIT {limit:UInt32} BY address
