-- Payments of plain accounts to these wallets in final blocks of a period. wallets: hex. since, last: unix seconds, inclusive.
FROM ledger AS l
WHERE l.tail = 0 AND l.network = {network:String} AND l.address IN (SELECT unhex(arrayJoin({wallets:Array(String)})))
  AND l.time BETWEEN toDateTime({since:UInt32}, 'UTC') AND toDateTime({last:UInt32}, 'UTC')
  AND l.direction = 1 AND l.amount > 0 AND l.peer != '' AND (l.signer = 'peer' OR l.signer = 'own' AND l.peer = l.address)
  AND l.kind NOT IN ('fee', 'tip', 'rent', 'erc721', 'erc1155')
