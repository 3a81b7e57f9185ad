-- Which of these addresses have dealt with more than so many others. addresses: as hex.
SELECT lower(hex(l.address)) AS address, uniqExact(l.peer) AS peers
FROM ledger AS l
WHERE l.network = {network:String}
  AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
  AND l.kind NOT IN ('fee', 'tip', 'rent')
GROUP BY l.address
HAVING peers > {most:UInt32}
ORDER BY address
