-- NFTs that one wallet gave to somebody else, oldest first. until: first second outside.
-- subject: contract and decimal token id in bytes, as hex, as `position_events` names the position of an NFT.
SELECT
  l.block_number AS block_number,
  l.tx_index AS tx_index,
  l.position AS position,
  toUnixTimestamp(l.time) AS time,
  lower(hex(concat(l.token, toString(l.token_id)))) AS subject
FROM ledger AS l
WHERE l.network = {network:String}
  AND l.address = unhex({wallet:String})
  AND l.time < toDateTime({until:UInt32}, 'UTC')
  AND l.kind = 'erc721'
  AND l.direction = -1
  AND l.peer NOT IN ('', unhex('0000000000000000000000000000000000000000'))
ORDER BY block_number, tx_index, position
