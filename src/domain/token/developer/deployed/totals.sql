-- Counts all contracts that one address deployed. Parameters as in rows.
WITH d.address IN (
  @tokens_of_creator
) AS is_token
SELECT
  count() AS total,
  countIf(is_token) AS tokens,
  uniqExactIf(d.code_hash, d.code_hash != '') AS distinct_code,
  countIf(d.code_hash = '') AS without_code_hash,
  toUnixTimestamp(min(d.time)) AS first_at,
  toUnixTimestamp(max(d.time)) AS last_at
FROM deployments AS d
WHERE d.network = {network:String}
  AND d.creator = unhex({creator:String})
  AND ({with_children:UInt8} = 1 OR d.factory = '')
  AND ({kind:String} = 'all' OR ({kind:String} = 'token') = is_token)
ORDER BY total
