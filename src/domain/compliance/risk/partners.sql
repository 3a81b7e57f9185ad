-- Largest counterparties of these addresses by value, from their newest movements: the largest first. addresses,
-- actors, wrapped, tokens, late_tokens: hex. actors: addresses to leave out, the addresses themselves among them.
-- tokens: those that count, of `decimals`, in parallel. per_address: rows of one address at most. Prices of hours in
-- [stored_from, stored_until) are stored; those of later hours come as late_*, in base units. The movements of
-- a day count with what pools paid for all in one sale. Sums use whole nanodollars, so that their order does not matter.
WITH m.day_units AS moved, sum(toInt256(round(least(@worth_usd * (m.units / moved), 1e30) * 1e9))) AS nano_usd
SELECT lower(hex(m.peer)) AS peer, toFloat64(nano_usd) / 1e9 AS usd
FROM (
  SELECT q.token AS token, toUnixTimestamp(q.hour) AS hour,
    exp10(transform(lower(hex(q.token)), {tokens:Array(String)}, {decimals:Array(UInt8)}, toUInt8(0))) AS whole,
    q.price_usd / whole AS unit_usd, q.sell_reserve * whole AS unit_reserve, q.sell_payout_usd AS payout_usd
  FROM prices AS q FINAL
  WHERE q.network = {network:String}
    AND q.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS moved)
    AND q.hour >= toStartOfHour(toDateTime({stored_from:UInt32}, 'UTC')) AND q.hour < toDateTime({stored_until:UInt32}, 'UTC')
  UNION ALL
  SELECT unhex(late.1) AS token, late.2 AS hour, 1 AS whole, late.3 AS unit_usd, late.4 AS unit_reserve, late.5 AS payout_usd
  FROM (
    SELECT arrayJoin(arrayZip({late_tokens:Array(String)}, {late_hours:Array(UInt32)}, {late_units:Array(Float64)},
      {late_reserves:Array(Float64)}, {late_payouts:Array(Float64)})) AS late)
) AS p
INNER JOIN (
  SELECT n.hour AS hour, n.token AS token, n.peer AS peer, n.units AS units,
    toFloat64(sum(toUInt256(n.units)) OVER (PARTITION BY n.address, n.direction, n.token, intDiv(n.hour, 86400))) AS day_units
  FROM (
    SELECT l.address AS address, l.direction AS direction, toUnixTimestamp(toStartOfHour(l.time)) AS hour, l.kind AS kind,
      if(l.token = '', unhex({wrapped:String}), l.token) AS token, l.peer AS peer, least(toFloat64(l.amount), 1e60) AS units
    FROM ledger AS l
    WHERE l.network = {network:String}
      AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
      AND l.kind NOT IN ('fee', 'tip', 'rent', 'wrap')
      AND l.amount > 0 AND l.peer != l.address
      AND NOT ({wrapped:String} != '' AND l.token = '' AND l.peer = unhex({wrapped:String}))
    ORDER BY l.address, l.block_number DESC, l.tx_index DESC, l.position DESC, l.direction
    LIMIT {per_address:UInt32} BY l.address
  ) AS n
  WHERE n.kind NOT IN ('erc721', 'erc1155')
) AS m ON m.token = p.token AND m.hour = p.hour
WHERE m.peer != ''
  AND m.peer NOT IN (SELECT unhex(arrayJoin({actors:Array(String)})) AS actor)
GROUP BY m.peer
HAVING nano_usd > 0
ORDER BY nano_usd DESC, peer
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
