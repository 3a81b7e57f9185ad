-- Plain accounts that paid these hot wallets in final blocks of a time. wallets: hex. since, last: unix seconds, inside.
SELECT DISTINCT lower(hex(l.peer)) AS sender
FROM ledger AS l
WHERE l.tail = 0 AND l.network = {network:String} AND l.address IN (SELECT unhex(arrayJoin({wallets:Array(String)})))
  AND l.time BETWEEN toDateTime({since:UInt32}, 'UTC') AND toDateTime({last:UInt32}, 'UTC')
  AND l.direction = 1 AND l.amount > 0 AND l.peer != '' AND l.peer = l.sender
  AND l.kind NOT IN ('fee', 'tip', 'rent', 'erc721', 'erc1155')
ORDER BY sender
LIMIT {limit:UInt32}
