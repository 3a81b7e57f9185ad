-- One transfer of a wallet at a place of the ledger, with the other side as `flows/wallet_flows` names it.
-- wallet, wrapped: hex; wrapped is '' where the network has none.
SELECT lower(hex(l.token)) AS token,
  lower(hex(if({wrapped:String} != '' AND l.token = unhex({wrapped:String}) AND l.peer = '', l.token, l.peer))) AS peer,
  l.amount AS amount, toUnixTimestamp(l.time) AS time, lower(hex(l.tx_hash)) AS tx_hash
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  AND l.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (l._table = 'ledger_final') = (l.block_number <= {final_block:UInt64})
  AND l.block_number = {block:UInt64} AND l.tx_index = {index:UInt32} AND l.position = {position:UInt32}
ORDER BY token, amount, l.direction
LIMIT 1
