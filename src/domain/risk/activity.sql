-- How much these addresses did: rows of the ledger, and movements among them. addresses: hex.
SELECT lower(hex(l.address)) AS address, count() AS rows, countIf(l.kind NOT IN ('fee', 'tip', 'rent', 'wrap')) AS moves
FROM ledger AS l
WHERE l.network = {network:String}
  AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
GROUP BY l.address
ORDER BY address
