-- Creator and creation time of these contracts; for a contract created twice, the last creation.
-- addresses: as hex.
WITH max((c.block_number, c.tx_index, c.position)) AS last
SELECT lower(hex(c.address)) AS address, lower(hex(argMax(c.creator, (c.block_number, c.tx_index, c.position)))) AS creator,
  last.1 AS block_number, last.2 AS tx_index, last.3 AS position, max(c.time) AS time
FROM contracts AS c
WHERE c.network = {network:String} AND c.event = 'created'
  AND c.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})) AS wanted)
GROUP BY c.address
ORDER BY address
