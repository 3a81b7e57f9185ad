-- Native coins that accounts received before their first deployment, oldest first, and the time of that deployment. addresses: hex.
-- Final blocks. first_deployment: unix seconds.
SELECT lower(hex(l.address)) AS address, lower(hex(l.peer)) AS peer, l.amount AS amount,
  toUnixTimestamp(d.first.3) AS first_deployment
FROM ledger AS l
INNER JOIN (
  SELECT c.creator AS creator, min((c.block_number, c.tx_index, c.time)) AS first
  FROM deployments AS c
  WHERE c.tail = 0 AND c.network = {network:String} AND c.creator IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
  GROUP BY c.creator
) AS d ON d.creator = l.address
WHERE l.tail = 0 AND l.network = {network:String} AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
  AND l.token = '' AND l.direction = 1 AND l.amount > 0 AND l.peer != '' AND l.kind IN ('native', 'internal')
  AND (l.block_number, l.tx_index) < (d.first.1, d.first.2)
ORDER BY address, l.block_number, l.tx_index, l.position
LIMIT {limit:UInt32} BY l.address
