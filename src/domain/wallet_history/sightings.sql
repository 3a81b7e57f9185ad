-- Movements between a wallet and peers whose first and last two bytes another peer of the same days has too.
WITH substring(l.peer, 1, 2) || substring(l.peer, -2) AS face
SELECT lower(hex(l.peer)) AS peer, l.time AS time, l.block_number AS block_number, l.tx_index AS tx_index,
  l.position AS position, lower(hex(l.token)) AS token, l.amount AS amount, lower(hex(l.sender)) AS sender
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  AND l.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (l._table = 'ledger_final') = (l.block_number <= {final_block:UInt64})
  AND l.time BETWEEN toDateTime({from_time:UInt32}, 'UTC') AND toDateTime({until_time:UInt32}, 'UTC')
  AND l.peer != '' AND l.kind NOT IN ('fee', 'tip', 'rent') AND l.amount > 0
  AND face IN (
    SELECT substring(o.peer, 1, 2) || substring(o.peer, -2) AS face
    FROM ledger AS o
    PREWHERE o.network = {network:String} AND o.address = unhex({wallet:String})
    WHERE o.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
      AND (o._table = 'ledger_final') = (o.block_number <= {final_block:UInt64})
      AND o.time BETWEEN toDateTime({from_time:UInt32}, 'UTC') AND toDateTime({until_time:UInt32}, 'UTC')
      AND o.peer != '' AND o.kind NOT IN ('fee', 'tip', 'rent')
    GROUP BY face
    HAVING uniqExact(o.peer) > 1)
ORDER BY block_number, tx_index, position, peer, token, amount
