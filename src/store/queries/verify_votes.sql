-- How many transactions of each segment are votes that are kept as sums alone. froms: first blocks of the segments.
SELECT toUInt32(arrayLastIndex(first -> first <= t.block_number, {froms:Array(UInt64)})) AS segment, toUInt64(sum(t.token_id)) AS votes
FROM transfers AS t
WHERE t.tail = 0 AND t.network = {network:String} AND t.block_number BETWEEN {from:UInt64} AND {to:UInt64}
  AND t.kind = 'fee' AND t.token_id > 0
GROUP BY segment
ORDER BY segment
