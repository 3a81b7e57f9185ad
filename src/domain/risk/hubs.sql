-- Which of these addresses have dealt with so many others, or with more: nobody counts beyond it. addresses: as hex.
SELECT lower(hex(l.address)) AS address
FROM ledger AS l
WHERE l.network = {network:String}
  AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
  AND l.kind NOT IN ('fee', 'tip', 'rent')
GROUP BY l.address
HAVING length(groupUniqArray({many:UInt32})(l.peer)) >= {many:UInt32}
ORDER BY address
