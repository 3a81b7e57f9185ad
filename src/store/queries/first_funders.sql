-- Sender and transaction of each address's first native coins, as far as indexed. addresses: hex.
-- wrapped: the wrapped native coin, hex ('' = none): unwrapping is no funding. One payer may be left out, not several.
SELECT lower(hex(f.address)) AS address, lower(hex(f.first.1)) AS funder, f.first.2 AS block_number,
  f.first.3 AS tx_index, f.first.4 AS amount, toUnixTimestamp(f.first.5) AS time
FROM (
  SELECT g.address AS address,
    argMin((g.funder, g.block_number, g.tx_index, g.amount, g.time), (g.block_number, g.tx_index, g.position)) AS first
  FROM (
    SELECT d.address AS address, d.funder AS funder, d.block_number AS block_number, d.tx_index AS tx_index,
      d.position AS position, d.amount AS amount, d.time AS time
    FROM first_funding AS d
    WHERE d.network = {network:String} AND d.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})) AS wanted)
      AND d.funder != unhex({wrapped:String})
    UNION ALL
    SELECT l.address, l.peer, l.block_number, l.tx_index, l.position, l.amount, l.time
    FROM ledger AS l
    WHERE l.tail > 0 AND l.network = {network:String}
      AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})) AS wanted)
      AND l.token = '' AND l.direction = 1 AND l.amount > 0 AND l.kind IN ('native', 'internal')
      AND l.peer != '' AND l.peer != l.address AND l.peer != unhex({wrapped:String})
  ) AS g
  GROUP BY g.address
) AS f
ORDER BY address
