-- Addresses that a wallet paid up to a block and that have one of these faces (domain/poisoning.ts), with the first payment to each
-- and the time of the last. faces: of addresses written in hex; empty: every address paid since then.
SELECT lower(hex(l.peer)) AS peer, min(l.block_number) AS first_block,
  argMin(l.tx_index, (l.block_number, l.tx_index, l.position)) AS first_index,
  toUnixTimestamp(min(l.time)) AS time, toUnixTimestamp(max(l.time)) AS last_time
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  AND l.signer = 'own' AND l.direction = -1 AND l.amount > 0
  AND l.kind NOT IN ('fee', 'tip', 'rent') AND l.block_number BETWEEN {from_block:UInt64} AND least({to_block:UInt64}, {block:UInt64})
  AND l.time >= toDateTime({since:UInt32}, 'UTC')
  AND (empty({faces:Array(String)})
    OR concat('3:', substring(lower(hex(l.peer)), 1, 3), substring(lower(hex(l.peer)), -4)) IN {faces:Array(String)}
    OR concat('2:', substring(lower(hex(l.peer)), 1, 2), substring(lower(hex(l.peer)), -6)) IN {faces:Array(String)})
GROUP BY l.peer
ORDER BY peer
