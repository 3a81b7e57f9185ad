-- Which of these addresses are contracts that the index saw being created. addresses: as hex.
SELECT DISTINCT lower(hex(c.address)) AS address
FROM contracts AS c
WHERE c.network = {network:String}
  AND c.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
ORDER BY address
