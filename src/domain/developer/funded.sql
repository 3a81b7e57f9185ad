-- Addresses that one address sent coins to, by when it first did. wallet: as hex.
SELECT lower(hex(l.peer)) AS peer, min(l.block_number) AS first_block
FROM ledger AS l
WHERE l.network = {network:String}
  AND l.address = unhex({wallet:String})
  AND l.direction = -1 AND l.token = '' AND l.kind IN ('native', 'internal') AND l.amount > 0
  AND l.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (l._table = 'ledger_final') = (l.block_number <= {final_block:UInt64})
GROUP BY l.peer
ORDER BY first_block, peer
LIMIT {limit:UInt32}
