-- Addresses that one address sent coins to, by when it first did. wallet: as hex.
SELECT lower(hex(l.peer)) AS peer, min(l.block_number) AS first_block
FROM ledger AS l
WHERE l.network = {network:String}
  AND l.address = unhex({wallet:String})
  AND l.direction = -1 AND l.token = '' AND l.kind IN ('native', 'internal') AND l.amount > 0
GROUP BY l.peer
ORDER BY first_block, peer
LIMIT {limit:UInt32}
