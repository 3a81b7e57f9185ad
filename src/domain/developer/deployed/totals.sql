-- All contracts that one address deployed, counted. Parameters as in rows.
WITH own AS (
  SELECT o.address AS address
  FROM deployments AS o
  PREWHERE o.network = {network:String} AND o.creator = unhex({creator:String})
)
SELECT
  count() AS total,
  countIf(t.standard != '') AS tokens,
  uniqExactIf(d.code_hash, d.code_hash != '') AS distinct_code,
  countIf(d.code_hash = '') AS without_code_hash,
  toUnixTimestamp(min(d.time)) AS first_at,
  toUnixTimestamp(max(d.time)) AS last_at
FROM deployments AS d
LEFT JOIN (
  SELECT m.token AS token, argMax(m.standard, m.read_at_block) AS standard
  FROM tokens AS m
  WHERE m.network = {network:String}
    AND m.token IN (SELECT own.address FROM own)
  GROUP BY m.token
) AS t ON t.token = d.address
WHERE d.network = {network:String}
  AND d.creator = unhex({creator:String})
  AND ({with_children:UInt8} = 1 OR d.factory = '')
  AND ({kind:String} = 'all' OR ({kind:String} = 'token') = (t.standard != ''))
ORDER BY total
