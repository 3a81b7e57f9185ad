-- One block.
SELECT block_number, lower(hex(hash)) AS hash, lower(hex(parent_hash)) AS parent_hash, time, lower(hex(producer)) AS producer, transaction_count
FROM blocks
WHERE network = {network:String}
  AND block_number = {number:UInt64}
  AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (_table = 'blocks_final') = (block_number <= {final_block:UInt64})
ORDER BY block_number
LIMIT 1
