-- A wallet's balance of every token that it ever moved, in several rows a token: precomputed sums with their end (above),
-- and movements of the blocks rest_from to rest_to. A transfer to itself counts once. wallet: as hex.
-- When all of these blocks are in the tail, parts of final blocks are not read.
@wallet_sums
UNION ALL
SELECT lower(hex(l.token)), sum(toInt256(l.amount) * l.direction), sum(toInt256(bitShiftRight(l.amount, 128)) * l.direction),
  countIf(l.direction = -1 OR l.peer != l.address), min(l.block_number), max(l.block_number), toUInt64(0)
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  AND l.block_number BETWEEN {rest_from:UInt64} AND {rest_to:UInt64}
  AND l.tail >= ({rest_from:UInt64} > {final_block:UInt64})
GROUP BY l.token
ORDER BY l.token
SETTINGS max_threads = 1
