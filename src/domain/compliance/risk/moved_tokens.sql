-- Fungible tokens that these addresses moved, the most moved first, with the first hour of their movements, and the
-- hours from `late_from` on. addresses: hex. late_from: unix seconds.
SELECT lower(hex(l.token)) AS token, toUnixTimestamp(toStartOfHour(min(l.time))) AS first_hour,
  arraySort(groupUniqArrayIf(toUnixTimestamp(toStartOfHour(l.time)), l.time >= toDateTime({late_from:UInt32}, 'UTC'))) AS late_hours
FROM ledger AS l
WHERE l.network = {network:String}
  AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
  AND l.kind NOT IN ('fee', 'tip', 'rent', 'wrap', 'erc721', 'erc1155')
GROUP BY l.token
ORDER BY count() DESC, token
LIMIT {limit:UInt32}
