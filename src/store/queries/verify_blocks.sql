-- The stored final blocks of a range, each number once, with how often it is there.
SELECT block_number AS number, count() AS copies, lower(hex(any(b.hash))) AS hash, lower(hex(any(b.parent_hash))) AS parent_hash,
  any(b.transaction_count) AS transactions
FROM blocks AS b
WHERE b.tail = 0 AND b.network = {network:String} AND b.block_number BETWEEN {from:UInt64} AND {to:UInt64}
GROUP BY number
ORDER BY number
