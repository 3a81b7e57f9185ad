-- Addresses that carry a label of one of these categories, largest lists cut at `limit`.
SELECT DISTINCT lower(hex(l.address)) AS address
FROM labels AS l FINAL
WHERE l.network = {network:String} AND has({categories:Array(String)}, l.category)
  AND l.valid_from <= toDateTime({block_time:UInt32}, 'UTC')
ORDER BY address
LIMIT {limit:UInt32}
