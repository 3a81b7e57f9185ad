-- When these blocks were made.
SELECT b.block_number AS block_number, b.time AS time
FROM blocks AS b
WHERE b.network = {network:String}
  AND b.block_number IN {blocks:Array(UInt64)}
ORDER BY block_number
