-- Accounts that deployed in final blocks of a time and whose first native coins came from an account on a list.
-- categories: of the labels. rules: sources that are rules of the index. since, last: unix seconds, inside.
SELECT lower(hex(f.address)) AS address, lower(hex(f.first.1)) AS funder, f.first.2 AS block_number, f.first.3 AS tx_index,
  k.label AS label, k.category AS category, k.entity AS entity
FROM (
  SELECT g.address AS address,
    argMin((g.funder, g.block_number, g.tx_index), (g.block_number, g.tx_index, g.position)) AS first
  FROM first_funding AS g
  PREWHERE g.network = {network:String} AND g.tail = 0
    AND g.address IN (SELECT m.creator FROM deployments AS m PREWHERE @of_final_days)
  GROUP BY g.address
) AS f
INNER JOIN (
  SELECT s.address AS address, argMax(s.label, (s.confidence, s.label)) AS label,
    argMax(s.category, (s.confidence, s.label)) AS category, argMax(s.entity, (s.confidence, s.label)) AS entity
  FROM labels AS s FINAL
  WHERE s.network = {network:String} AND s.category != '' AND s.source NOT IN {rules:Array(String)}
  GROUP BY s.address
) AS k ON k.address = f.first.1
WHERE k.category IN {categories:Array(String)}
ORDER BY address
LIMIT {limit:UInt32}
