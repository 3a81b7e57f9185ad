-- With whom these addresses moved most value, by their newest movements: the largest first. addresses, actors, wrapped,
-- tokens, late_tokens: hex. actors: who is left out, the addresses themselves among them. tokens: those that count.
-- per_address: rows of one address at most. Prices of hours in [stored_from, stored_until) are stored; those of later
-- hours come as late_*, in USD per base unit. Sums are made of whole nanodollars, so that their order does not matter.
SELECT lower(hex(v.peer)) AS peer, toFloat64(sum(v.nano_usd)) / 1e9 AS usd
FROM (
  SELECT m.peer AS peer, toInt256(round(least(toFloat64(m.amount) * p.unit_usd, 1e30) * 1e9)) AS nano_usd
  FROM (
    SELECT q.token AS token, toUnixTimestamp(q.hour) AS hour, q.price_usd / exp10(d.decimals) AS unit_usd
    FROM prices AS q FINAL
    INNER JOIN (
      SELECT c.token AS token, assumeNotNull(c.decimals) AS decimals
      FROM tokens AS c FINAL
      WHERE c.network = {network:String} AND c.decimals IS NOT NULL AND c.token != unhex({wrapped:String})
        AND c.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS moved)
      UNION ALL
      SELECT unhex({wrapped:String}) AS token, {native_decimals:UInt8} AS decimals
    ) AS d ON d.token = q.token
    WHERE q.network = {network:String}
      AND q.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS moved)
      AND q.hour >= toStartOfHour(toDateTime({stored_from:UInt32}, 'UTC')) AND q.hour < toDateTime({stored_until:UInt32}, 'UTC')
    UNION ALL
    SELECT unhex(late.1) AS token, late.2 AS hour, late.3 AS unit_usd
    FROM (
      SELECT arrayJoin(arrayZip({late_tokens:Array(String)}, {late_hours:Array(UInt32)}, {late_units:Array(Float64)})) AS late)
  ) AS p
  INNER JOIN (
    SELECT l.address AS address, toUnixTimestamp(toStartOfHour(l.time)) AS hour, l.kind AS kind,
      if(l.token = '', unhex({wrapped:String}), l.token) AS token, l.peer AS peer, l.amount AS amount
    FROM ledger AS l
    WHERE l.network = {network:String}
      AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
      AND l.kind NOT IN ('fee', 'tip', 'rent', 'wrap')
      AND l.peer != l.address
      AND NOT ({wrapped:String} != '' AND l.token = '' AND l.peer = unhex({wrapped:String}))
    ORDER BY l.address, l.block_number DESC, l.tx_index DESC, l.position DESC, l.direction
    LIMIT {per_address:UInt32} BY l.address
  ) AS m ON m.token = p.token AND m.hour = p.hour
  WHERE m.kind NOT IN ('erc721', 'erc1155') AND m.peer != ''
    AND m.peer NOT IN (SELECT unhex(arrayJoin({actors:Array(String)})) AS actor)
) AS v
GROUP BY v.peer
HAVING sum(v.nano_usd) > 0
ORDER BY sum(v.nano_usd) DESC, peer
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
