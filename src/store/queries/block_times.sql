-- When these blocks were made.
SELECT b.block_number AS block_number, b.time AS time
FROM blocks AS b
WHERE b.network = {network:String}
  AND b.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (b._table = 'blocks_final') = (b.block_number <= {final_block:UInt64})
  AND b.block_number IN {blocks:Array(UInt64)}
ORDER BY block_number
