-- Addresses that a wallet paid up to a block and that start and end (two bytes each) like one of these addresses, which
-- may be among them; with the first payment to each. alike: hex.
SELECT lower(hex(l.peer)) AS peer, min(l.block_number) AS first_block,
  argMin(l.tx_index, (l.block_number, l.tx_index, l.position)) AS first_index,
  toUnixTimestamp(min(l.time)) AS time
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  AND l.signer = 'own' AND l.direction = -1 AND l.amount > 0
  AND l.kind NOT IN ('fee', 'tip', 'rent') AND l.block_number BETWEEN {from_block:UInt64} AND least({to_block:UInt64}, {block:UInt64})
  AND substring(l.peer, 1, 2) || substring(l.peer, -2) IN (
    SELECT arrayJoin(arrayMap(one -> substring(unhex(one), 1, 2) || substring(unhex(one), -2), {alike:Array(String)})) AS face)
GROUP BY l.peer
ORDER BY peer
