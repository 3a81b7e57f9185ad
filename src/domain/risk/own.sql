-- What one wallet moved, newest first: no fees, no wraps, nothing to itself. wallet, wrapped: hex.
-- wrapped: the wrapped native coin ('' = none), whose deposits and withdrawals move nothing from one owner to another.
-- price_usd: of the token in that hour, of hours in [stored_from, stored_until).
SELECT
  lower(hex(m.address)) AS address,
  m.direction AS direction,
  m.block_number AS block_number,
  m.tx_index AS tx_index,
  m.position AS position,
  toUnixTimestamp(m.time) AS time,
  lower(hex(m.tx_hash)) AS tx_hash,
  m.kind IN ('erc721', 'erc1155') AS is_collectible,
  lower(hex(m.token)) AS token,
  m.token_id AS token_id,
  lower(hex(m.peer)) AS peer,
  m.amount AS amount,
  if(p.token = '', NULL, p.price_usd) AS price_usd
FROM (
  SELECT l.address AS address, l.direction AS direction, l.block_number AS block_number, l.tx_index AS tx_index,
    l.position AS position, l.time AS time, l.tx_hash AS tx_hash, l.kind AS kind, l.token AS token, l.token_id AS token_id,
    l.peer AS peer, l.amount AS amount
  FROM ledger AS l
  WHERE l.network = {network:String}
    AND l.address = unhex({wallet:String})
    AND l.kind NOT IN ('fee', 'tip', 'rent', 'wrap')
    AND l.peer != l.address
    AND NOT ({wrapped:String} != '' AND l.token = '' AND l.peer = unhex({wrapped:String}))
  ORDER BY l.block_number DESC, l.tx_index DESC, l.position DESC, l.direction
  LIMIT {limit:UInt32}
) AS m
LEFT JOIN (
  SELECT q.token AS token, q.hour AS hour, q.price_usd AS price_usd
  FROM prices AS q FINAL
  WHERE q.network = {network:String}
    AND q.hour >= toStartOfHour(toDateTime({stored_from:UInt32}, 'UTC')) AND q.hour < toDateTime({stored_until:UInt32}, 'UTC')
    AND (q.token, q.hour) IN (
      SELECT DISTINCT if(o.token = '', unhex({wrapped:String}), o.token) AS traded, toStartOfHour(o.time) AS hour
      FROM ledger AS o
      PREWHERE o.network = {network:String} AND o.address = unhex({wallet:String}))
) AS p ON p.token = if(m.token = '', unhex({wrapped:String}), m.token) AND p.hour = toStartOfHour(m.time)
ORDER BY block_number DESC, tx_index DESC, position DESC, direction
