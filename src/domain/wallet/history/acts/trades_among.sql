-- Of these transactions (blocks[i], indexes[i]) those in which a pool traded that had part in them, or one of two of `tokens`.
-- The union of the condition stands in a subquery of its own, a cluster refuses it otherwise. tokens: hex.
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
