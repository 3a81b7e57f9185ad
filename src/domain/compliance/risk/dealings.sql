-- How many movements of value each of these addresses has (no fees, no wraps), and whether it dealt with so many others, or with
-- more: nobody counts beyond it. addresses: hex.
SELECT lower(hex(l.address)) AS address, countIf(l.kind NOT IN ('fee', 'tip', 'rent', 'wrap')) AS moves,
  length(groupUniqArrayIf({many:UInt32})(l.peer, l.kind NOT IN ('fee', 'tip', 'rent'))) >= {many:UInt32} AS is_hub
FROM ledger AS l
WHERE l.network = {network:String}
  AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
GROUP BY l.address
ORDER BY address
