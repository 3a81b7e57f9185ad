-- Which of these transactions (blocks[i], indexes[i]) contain a trade of a pool that took part in their transfers, or
-- of a pool of two of `tokens`. The union of the condition needs a subquery of its own, otherwise a cluster rejects it.
-- tokens: hex.
SELECT DISTINCT s.block_number AS block_number, s.tx_index AS tx_index
FROM swaps AS s
WHERE s.network = {network:String}
  AND (s.block_number, s.tx_index) IN (SELECT arrayJoin(arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)})) AS asked)
  AND s.pool IN (
    SELECT party
    FROM (
      SELECT arrayJoin([t.source, t.destination]) AS party
      FROM transfers AS t
      PREWHERE t.network = {network:String} AND t.block_number IN {blocks:Array(UInt64)}
      WHERE (t.block_number, t.tx_index) IN (SELECT arrayJoin(arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)})) AS dealt)
      UNION ALL
      @pools_of_two))
ORDER BY block_number, tx_index
