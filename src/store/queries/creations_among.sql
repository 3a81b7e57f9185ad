-- Who created these contracts, and when. Of a contract created twice: the last time.
-- addresses: as hex.
SELECT lower(hex(c.address)) AS address, lower(hex(argMax(c.creator, (c.block_number, c.tx_index, c.position)))) AS creator,
  max(c.block_number) AS block_number, max(c.time) AS time
FROM contracts AS c
WHERE c.network = {network:String} AND c.event = 'created'
  AND c.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})) AS wanted)
  AND c.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (c._table = 'contracts_final') = (c.block_number <= {final_block:UInt64})
GROUP BY c.address
ORDER BY address
