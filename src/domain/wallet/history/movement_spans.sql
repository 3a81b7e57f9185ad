-- Numbers of movements of these addresses, in several rows per address: stored sums with the block up to which they
-- reach (above), and movements of the blocks rest_from to rest_to, as in wallet_balances.sql. The cost does not grow
-- with the movements of an address. addresses: hex.
SELECT lower(hex(b.holder)) AS address, sum(b.transfers) AS movements, min(b.first_block) AS first_block,
  max(b.last_block) AS last_block, if(b.holder = '', max(b.last_block) + 1, 0) AS above
FROM balances_by_holder AS b
WHERE b.network = {network:String} AND {with_sums:UInt8}
  AND (b.holder IN (SELECT unhex(arrayJoin({addresses:Array(String)}))) OR (b.holder = '' AND b.token = ''))
GROUP BY b.holder
UNION ALL
SELECT lower(hex(l.address)), countIf(l.direction = -1 OR l.peer != l.address), min(l.block_number), max(l.block_number), toUInt64(0)
FROM ledger AS l
WHERE l.network = {network:String}
  AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
  AND l.block_number BETWEEN {rest_from:UInt64} AND {rest_to:UInt64}
  AND l.tail >= ({rest_from:UInt64} > {final_block:UInt64})
GROUP BY l.address
ORDER BY l.address
