-- Contracts that accounts on a list created in final blocks of a time, by transactions that do nothing else.
-- categories: of the labels. rules: sources that are rules of the index. since, last: unix seconds, inside.
SELECT lower(hex(d.address)) AS address, lower(hex(d.tx_hash)) AS tx_hash, toUnixTimestamp(d.time) AS time, k.label AS label,
  k.category AS category, k.entity AS entity
FROM deployments AS d
INNER JOIN (
  SELECT s.address AS address, argMax(s.label, (s.confidence, s.label)) AS label,
    argMax(s.category, (s.confidence, s.label)) AS category, argMax(s.entity, (s.confidence, s.label)) AS entity
  FROM labels AS s FINAL
  WHERE s.network = {network:String} AND s.category != '' AND s.source NOT IN {rules:Array(String)}
  GROUP BY s.address
) AS k ON k.address = d.creator
WHERE d.tail = 0 AND d.network = {network:String} AND d.factory = '' AND k.category IN {categories:Array(String)}
  AND d.creator IN (SELECT o.address FROM labels AS o FINAL
    WHERE o.network = {network:String} AND o.category IN {categories:Array(String)} AND o.source NOT IN {rules:Array(String)})
  AND d.time BETWEEN toDateTime({since:UInt32}, 'UTC') AND toDateTime({last:UInt32}, 'UTC')
ORDER BY d.block_number, d.tx_index, d.position
LIMIT {limit:UInt32}
