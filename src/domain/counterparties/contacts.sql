-- The first transfer of one wallet with each of these peers, by direction. wallet, peers: hex.
-- since, until: unix seconds, until outside.
SELECT lower(hex(f.peer)) AS peer, f.direction AS direction, lower(hex(f.first.1)) AS tx_hash, toUnixTimestamp(f.first.2) AS time
FROM (
  SELECT l.peer AS peer, l.direction AS direction,
    argMin((l.tx_hash, l.time), (l.block_number, l.tx_index, l.position)) AS first
  FROM ledger AS l
  WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
    AND l.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
    AND (l._table = 'ledger_final') = (l.block_number <= {final_block:UInt64})
    AND l.time >= toDateTime({since:UInt32}, 'UTC') AND l.time < toDateTime({until:UInt32}, 'UTC')
    AND l.kind NOT IN ('fee', 'tip', 'rent') AND l.amount > 0
    AND l.peer IN (SELECT unhex(arrayJoin({peers:Array(String)})) AS wanted)
  GROUP BY l.peer, l.direction
) AS f
ORDER BY peer, direction
