-- Which of these addresses moved something up to a block's time. addresses: hex. until: unix seconds, still inside.
SELECT DISTINCT lower(hex(l.address)) AS address
FROM ledger AS l
WHERE l.network = {network:String}
  AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})) AS wanted)
  AND l.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (l._table = 'ledger_final') = (l.block_number <= {final_block:UInt64})
  AND l.time <= toDateTime({until:UInt32}, 'UTC')
ORDER BY address
