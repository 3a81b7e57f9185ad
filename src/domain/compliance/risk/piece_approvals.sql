-- Approvals of single pieces in force by the events of their collections: the latest one of each piece, except withdrawn ones and those of pieces
-- that left the owner afterwards, which ends an approval. owner: hex. A log's movement has the position 1048576 + its index.
SELECT lower(hex(v.token)) AS token, v.piece AS piece, lower(hex(v.latest.1)) AS spender, v.latest.2 AS block_number,
  lower(hex(v.latest.3)) AS tx_hash, toUnixTimestamp(v.latest.4) AS time
FROM (
  SELECT e.token AS token, e.piece AS piece, argMax((e.spender, e.block_number, e.tx_hash, e.time), (e.block_number, e.tx_index, e.log_index)) AS latest
  FROM (
    SELECT a.token AS token, a.amount AS piece, a.spender AS spender, a.block_number AS block_number, a.tx_index AS tx_index,
      toInt64(a.log_index) AS log_index, a.tx_hash AS tx_hash, a.time AS time
    FROM approvals AS a
    WHERE a.network = {network:String} AND a.owner = unhex({owner:String}) AND a.kind = 'erc721'
    UNION ALL
    SELECT l.token, l.token_id, '', l.block_number, l.tx_index, toInt64(l.position) - 1048576, '', l.time
    FROM ledger AS l
    WHERE l.network = {network:String} AND l.address = unhex({owner:String}) AND l.kind = 'erc721' AND l.direction = -1
      AND l.token IN (
        SELECT o.token FROM approvals AS o PREWHERE o.network = {network:String} AND o.owner = unhex({owner:String}) WHERE o.kind = 'erc721')
  ) AS e
  GROUP BY e.token, e.piece
) AS v
WHERE v.latest.1 != ''
ORDER BY time DESC, token, piece
LIMIT {limit:UInt32}
