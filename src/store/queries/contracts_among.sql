-- Which of these addresses are contracts that the index saw being created. addresses: as hex.
SELECT lower(hex(c.address)) AS address, min(c.block_number) AS first_block
FROM contracts AS c
WHERE c.network = {network:String}
  AND c.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
GROUP BY c.address
ORDER BY address
