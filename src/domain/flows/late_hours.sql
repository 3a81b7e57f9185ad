-- Hours from `late_from` on in which one wallet moved a fungible token: their prices are not stored yet.
-- wallet: hex. since, late_from, until: unix seconds, until outside.
SELECT DISTINCT lower(hex(l.token)) AS token, toUnixTimestamp(toStartOfHour(l.time)) AS hour
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  AND l.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (l._table = 'ledger_final') = (l.block_number <= {final_block:UInt64})
  AND l.time >= toDateTime(greatest({since:UInt32}, {late_from:UInt32}), 'UTC')
  AND l.time < toDateTime({until:UInt32}, 'UTC')
  AND l.kind NOT IN ('tip', 'erc721', 'erc1155')
ORDER BY hour DESC, token
LIMIT {limit:UInt32}
