-- Contracts that one address deployed, newest first, with what the index knows of each.
-- with_children: 1 = those that a factory created in its transactions too. kind: all, token or contract.
-- is_replaced: the address was created again later. same_code: contracts among these with this code_hash ('' = unknown).
WITH own AS (
  SELECT o.address AS address
  FROM deployments AS o
  PREWHERE o.network = {network:String} AND o.creator = unhex({creator:String})
)
SELECT
  d.block_number AS block_number,
  toUnixTimestamp(d.time) AS time,
  lower(hex(d.tx_hash)) AS tx_hash,
  lower(hex(d.address)) AS address,
  lower(hex(d.factory)) AS factory,
  lower(hex(d.code_hash)) AS code_hash,
  t.standard AS standard,
  t.name AS name,
  t.symbol AS symbol,
  p.pool != '' AS is_pool,
  (d.block_number, d.tx_index, d.position) < (e.born_block, e.born_tx, e.born_position) AS is_replaced,
  count() OVER (PARTITION BY d.code_hash) AS same_code
FROM deployments AS d
LEFT JOIN (
  SELECT
    c.address AS address,
    max((c.block_number, c.tx_index, c.position)) AS born,
    born.1 AS born_block, born.2 AS born_tx, born.3 AS born_position
  FROM contracts AS c
  WHERE c.network = {network:String}
    AND c.address IN (SELECT own.address FROM own)
    AND c.event = 'created'
  GROUP BY c.address
) AS e ON e.address = d.address
LEFT JOIN (
  SELECT
    m.token AS token,
    argMax(m.standard, m.read_at_block) AS standard,
    argMax(tuple(m.name), m.read_at_block).1 AS name,
    argMax(tuple(m.symbol), m.read_at_block).1 AS symbol
  FROM tokens AS m
  WHERE m.network = {network:String}
    AND m.token IN (SELECT own.address FROM own)
  GROUP BY m.token
) AS t ON t.token = d.address
LEFT JOIN (
  SELECT DISTINCT q.pool AS pool
  FROM pools AS q
  WHERE q.network = {network:String}
    AND q.pool IN (SELECT own.address FROM own)
) AS p ON p.pool = d.address
WHERE d.network = {network:String}
  AND d.creator = unhex({creator:String})
  AND ({with_children:UInt8} = 1 OR d.factory = '')
  AND ({kind:String} = 'all' OR ({kind:String} = 'token') = (t.standard != ''))
ORDER BY d.block_number DESC, d.tx_index DESC, d.position DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
