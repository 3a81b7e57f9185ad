-- How many plain accounts had paid each of these for the first time by the end of a day: all (entity ''), and known deposit addresses
-- of each exchange. addresses: hex. until: unix seconds, outside. delay: as of derived labels.
WITH paid AS (
  SELECT l.address AS address, l.peer AS peer, toUnixTimestamp(min(l.time)) AS first
  FROM ledger AS l
  PREWHERE l.network = {network:String} AND l.tail = 0 AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
  WHERE l.direction = 1 AND l.amount > 0 AND l.peer != '' AND l.signer = 'peer'
    AND l.kind NOT IN ('fee', 'tip', 'rent', 'erc721', 'erc1155') AND l.time < toDateTime({until:UInt32}, 'UTC')
  GROUP BY l.address, l.peer
)
SELECT lower(hex(s.address)) AS address, s.entity AS entity, intDiv(s.from_time, 86400) * 86400 AS day,
  toUInt32(count()) AS accounts
FROM (
  SELECT p.address AS address, '' AS entity, p.first AS from_time
  FROM paid AS p
  UNION ALL
  SELECT q.address, d.entity, greatest(q.first, d.from_time)
  FROM paid AS q
  INNER JOIN (
    SELECT k.address AS deposit, any(k.entity) AS entity, toUInt32(min(toUnixTimestamp(k.valid_from)) - {delay:UInt32}) AS from_time
    FROM labels AS k FINAL
    WHERE k.network = {network:String} AND k.source = 'deposits' AND k.category != '' AND k.entity != ''
    GROUP BY k.address
  ) AS d ON d.deposit = q.peer
) AS s
WHERE s.from_time < {until:UInt32}
GROUP BY s.address, s.entity, day
ORDER BY address, day, entity
