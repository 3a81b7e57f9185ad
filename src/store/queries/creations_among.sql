-- Who created these contracts, and when. Of a contract created twice: the last time.
-- addresses: as hex.
SELECT lower(hex(c.address)) AS address, lower(hex(argMax(c.creator, (c.block_number, c.tx_index, c.position)))) AS creator,
  max(c.block_number) AS block_number, max(c.time) AS time
FROM contracts AS c
WHERE c.network = {network:String} AND c.event = 'created'
  AND c.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})) AS wanted)
GROUP BY c.address
ORDER BY address
