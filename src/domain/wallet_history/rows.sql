-- Value movements of one wallet in blocks before `before_block`, newest first. A transaction's fee row stands before its
-- other rows. In the order of the table alone: rows that share a place in it (one log of several items) stand anyhow.
SELECT l.block_number AS block_number, l.tx_index AS tx_index, l.position AS position, l.direction AS direction,
  l.time AS time, lower(hex(l.tx_hash)) AS tx_hash, l.kind AS kind, lower(hex(l.token)) AS token,
  l.token_id AS token_id, lower(hex(l.peer)) AS peer, l.amount AS amount, lower(hex(l.sender)) AS sender
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  AND l.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (l._table = 'ledger_final') = (l.block_number <= {final_block:UInt64})
  AND l.block_number < {before_block:UInt64}
  AND l.time BETWEEN toDateTime({from_time:UInt32}, 'UTC') AND toDateTime({until_time:UInt32}, 'UTC')
  AND l.kind != 'tip' AND NOT (l.kind = 'fee' AND l.direction = 1)
  AND NOT (l.peer = l.address AND l.direction = 1)
  AND ({direction:Int8} = 0 OR (l.direction = {direction:Int8} AND l.peer != l.address))
  AND ({any_token:UInt8} = 1 OR l.token = unhex({token:String}))
ORDER BY block_number DESC, tx_index DESC, position DESC, direction DESC
LIMIT {limit:UInt32}
