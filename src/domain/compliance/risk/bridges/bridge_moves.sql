-- Movements of an address in one direction (1 received, -1 paid) of some tokens within a time, in the order of the
-- chain. address, tokens: hex; '' is the native coin. No tokens: of any. from, until: unix seconds, both included.
SELECT
  l.block_number AS block_number,
  l.tx_index AS tx_index,
  l.position AS position,
  toUnixTimestamp(l.time) AS time,
  lower(hex(l.token)) AS token,
  lower(hex(l.peer)) AS peer,
  l.amount AS amount
FROM ledger AS l
WHERE l.network = {network:String}
  AND l.address = unhex({address:String})
  AND l.direction = {direction:Int8}
  AND l.kind NOT IN ('fee', 'tip', 'rent', 'wrap', 'erc721', 'erc1155')
  AND (empty({tokens:Array(String)}) OR l.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS moved))
  AND l.time >= toDateTime({from:UInt32}, 'UTC') AND l.time <= toDateTime({until:UInt32}, 'UTC')
  AND l.peer != l.address
ORDER BY l.block_number, l.tx_index, l.position
LIMIT {limit:UInt32}
