-- Which of these addresses have moved something in final blocks. addresses: hex.
SELECT DISTINCT lower(hex(l.address)) AS address
FROM ledger AS l
WHERE l.tail = 0 AND l.network = {network:String} AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
ORDER BY address
