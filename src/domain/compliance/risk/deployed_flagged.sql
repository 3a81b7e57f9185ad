-- Labels of these categories on contracts that one address deployed, the oldest contract first. creator: hex.
SELECT
  lower(hex(d.address)) AS address,
  lower(hex(d.tx_hash)) AS tx_hash,
  toUnixTimestamp(d.time) AS time,
  k.label AS label,
  k.source AS source
FROM deployments AS d
INNER JOIN (
  SELECT l.address AS address, l.label AS label, l.source AS source
  FROM labels AS l FINAL
  WHERE l.network = {network:String} AND has({categories:Array(String)}, l.category)
    AND l.valid_from <= toDateTime({block_time:UInt32}, 'UTC')
) AS k ON k.address = d.address
WHERE d.network = {network:String} AND d.creator = unhex({creator:String})
ORDER BY d.block_number, d.tx_index, d.position, k.source, k.label
LIMIT {limit:UInt32}
