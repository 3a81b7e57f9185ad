-- One block.
SELECT block_number, lower(hex(hash)) AS hash, lower(hex(parent_hash)) AS parent_hash, time, lower(hex(producer)) AS producer, transaction_count
FROM blocks
WHERE network = {network:String}
  AND block_number = {number:UInt64}
ORDER BY block_number
LIMIT 1
