-- Number of movements of value of each of these addresses (without fees and wraps), and whether it has at least `many`
-- counterparties: the count stops there. addresses: hex.
SELECT lower(hex(l.address)) AS address, countIf(l.kind NOT IN ('fee', 'tip', 'rent', 'wrap')) AS moves,
  length(groupUniqArrayIf({many:UInt32})(l.peer, l.kind NOT IN ('fee', 'tip', 'rent'))) >= {many:UInt32} AS is_hub
FROM ledger AS l
WHERE l.network = {network:String}
  AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
GROUP BY l.address
ORDER BY address
