-- Contracts on a list, with the hashes of their runtime code and of their init code, '' = unknown.
-- categories: of the labels. rules: sources that are rules of the index. Of pools of known exchanges the first few of each.
SELECT lower(hex(c.address)) AS address, k.label AS label, k.category AS category, lower(hex(c.code_hash)) AS code_hash,
  lower(hex(c.init_hash)) AS init_hash, toUnixTimestamp(c.time) AS time
FROM contracts AS c
INNER JOIN (
  SELECT s.address AS address, argMax(s.label, (s.confidence, s.label)) AS label,
    argMax(s.category, (s.confidence, s.label)) AS category
  FROM labels AS s FINAL
  WHERE s.network = {network:String} AND s.category != ''
    AND (s.source NOT IN {rules:Array(String)} OR s.address IN (
      SELECT p.pool FROM pools AS p
      PREWHERE p.tail = 0 AND p.network = {network:String} AND p.venue != ''
      ORDER BY p.venue, p.block_number, p.log_index LIMIT 20 BY p.venue))
  GROUP BY s.address
) AS k ON k.address = c.address
WHERE c.tail = 0 AND c.network = {network:String} AND c.event = 'created' AND k.category IN {categories:Array(String)}
ORDER BY time, address, c.tx_index, c.position
