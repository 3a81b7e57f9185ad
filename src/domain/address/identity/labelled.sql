-- Addresses that carry a label of one of these categories, largest lists cut at `limit`.
SELECT lower(hex(l.address)) AS address, max(l.valid_from) AS valid_from
FROM labels AS l FINAL
WHERE l.network = {network:String} AND has({categories:Array(String)}, l.category)
  AND l.valid_from <= toDateTime({block_time:UInt32}, 'UTC')
GROUP BY l.address
ORDER BY address
LIMIT {limit:UInt32}
