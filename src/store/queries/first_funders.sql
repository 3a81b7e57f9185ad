-- Who sent each of these addresses its first native coins, as far as it is indexed. addresses: hex.
-- wrapped: the wrapped native coin, hex ('' = none): unwrapping is no funding.
SELECT lower(hex(f.address)) AS address, lower(hex(f.first.1)) AS funder, lower(hex(f.first.2)) AS tx_hash,
  f.first.3 AS amount, toUnixTimestamp(f.first.4) AS time
FROM (
  SELECT l.address AS address,
    argMin((l.peer, l.tx_hash, l.amount, l.time), (l.block_number, l.tx_index, l.position)) AS first
  FROM ledger AS l
  WHERE l.network = {network:String} AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})) AS wanted)
    AND l.token = '' AND l.direction = 1 AND l.amount > 0 AND l.kind IN ('native', 'internal')
    AND l.peer != '' AND l.peer != l.address AND l.peer != unhex({wrapped:String})
  GROUP BY l.address
) AS f
ORDER BY address
