-- Which of these accounts were paid by one of these wallets in final blocks before a time. All hex. until: unix seconds, outside.
SELECT DISTINCT lower(hex(l.address)) AS address
FROM ledger AS l
WHERE l.tail = 0 AND l.network = {network:String} AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
  AND l.peer IN (SELECT unhex(arrayJoin({wallets:Array(String)})))
  AND l.direction = 1 AND l.amount > 0 AND l.time < toDateTime({until:UInt32}, 'UTC')
  AND l.kind NOT IN ('fee', 'tip', 'rent', 'erc721', 'erc1155')
ORDER BY address
