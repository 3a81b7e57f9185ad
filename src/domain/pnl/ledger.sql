-- What moved the balances of one wallet, row by row, oldest first; NFTs and amounts of 0 are left out. Asked as columns.
-- wallet: address as hex. until: first second outside.
-- is_rent: paid for an account to be there, or given back. is_issued: without a sender behind it, or paid to whoever made the block.
SELECT
  l.block_number AS block_number,
  l.tx_index AS tx_index,
  toUnixTimestamp(l.time) AS time,
  l.direction AS direction,
  l.sender = l.address AS is_own,
  l.kind IN ('fee', 'tip') AND l.direction = -1 AS is_fee,
  l.kind = 'rent' AS is_rent,
  l.kind IN ('reward', 'withdrawal', 'tip') OR (l.kind = 'fee' AND l.direction = 1) AS is_issued,
  lower(hex(toLowCardinality(l.token))) AS token,
  lower(hex(toLowCardinality(l.peer))) AS peer,
  l.amount AS amount
FROM ledger AS l
WHERE l.network = {network:String}
  AND l.address = unhex({wallet:String})
  AND l.time < toDateTime({until:UInt32}, 'UTC')
  AND l.kind NOT IN ('erc721', 'erc1155')
  AND l.amount > 0
ORDER BY block_number, tx_index, l.position, l.direction
