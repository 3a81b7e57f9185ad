-- How many transactions of each segment paid a fee that no transfer tells of. froms: first blocks of the segments.
SELECT toUInt32(arrayLastIndex(first -> first <= t.block_number, {froms:Array(UInt64)})) AS segment, count() AS transactions
FROM transactions AS t
WHERE t.tail = 0 AND t.network = {network:String} AND t.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND t.fee > 0
  AND (t.block_number, t.tx_index) NOT IN (
    SELECT m.block_number, m.tx_index
    FROM transfers AS m
    PREWHERE m.tail = 0 AND m.network = {network:String} AND m.block_number BETWEEN {from:UInt64} AND {to:UInt64})
GROUP BY segment
ORDER BY segment
