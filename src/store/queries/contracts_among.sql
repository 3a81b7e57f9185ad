-- Which of these addresses are contracts that the index saw being created. addresses: as hex.
SELECT DISTINCT lower(hex(c.address)) AS address
FROM contracts AS c
WHERE c.network = {network:String}
  AND c.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
  AND c.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (c._table = 'contracts_final') = (c.block_number <= {final_block:UInt64})
ORDER BY address
