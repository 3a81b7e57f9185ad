-- Balances of pairs (tokens[i], holders[i]), in several rows a pair: precomputed sums with their end (above), and movements
-- of the blocks rest_from to rest_to, subtracted when rest_sign is -1. As hex. Reads only the tail as wallet_balances.sql does.
@pair_sums
UNION ALL
SELECT lower(hex(l.token)), lower(hex(l.address)), sum(toInt256(l.amount) * l.direction * {rest_sign:Int8}),
  sum(toInt256(bitShiftRight(l.amount, 128)) * l.direction * {rest_sign:Int8}), toUInt64(0)
FROM ledger AS l
WHERE l.network = {network:String}
  AND (l.address, l.token) IN (
    SELECT unhex(pair.1), unhex(pair.2)
    FROM (SELECT arrayJoin(arrayZip({holders:Array(String)}, {tokens:Array(String)})) AS pair))
  AND l.block_number BETWEEN {rest_from:UInt64} AND {rest_to:UInt64}
  AND l.tail >= ({rest_from:UInt64} > {final_block:UInt64})
GROUP BY l.address, l.token
ORDER BY l.address, l.token
SETTINGS max_threads = 1
