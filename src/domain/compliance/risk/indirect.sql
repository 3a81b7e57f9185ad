-- Amounts that these addresses received and paid in a window by asset and by the risk of the other side, '' = none, at stored hourly
-- prices, as far as pools paid for all of a day in one sale. An amount that they did not take at its price counts only
-- where it is a risk: it dilutes none. addresses, wallet: hex; transfers with the wallet itself are left out. categories: labels that are a risk.
-- since, until: unix seconds, until outside. direction 1 in, -1 out. source: the largest other side.
SELECT lower(hex(s.address)) AS address, s.direction AS direction, lower(hex(s.asset)) AS asset, s.category AS category,
  lower(hex(argMax(s.peer, (s.nano, s.peer)))) AS source, toFloat64(sum(s.nano)) / 1e9 AS usd
FROM (
  SELECT x.address AS address, x.direction AS direction, x.asset AS asset, x.peer AS peer, x.category AS category, sum(x.nano) AS nano
  FROM (
    WITH l.day_units AS moved, @worth_usd AS worth
    SELECT l.address AS address, l.direction AS direction, if(l.token = '', unhex({wrapped:String}), l.token) AS asset, l.peer AS peer, k.category AS category,
      if(p.token = '' OR (k.category = '' AND worth < moved * p.unit_usd), toInt256(0),
        toInt256(round(least(worth * (l.units / moved), 1e30) * 1e9))) AS nano
    FROM (
      SELECT o.address AS address, o.direction AS direction, o.peer AS peer, o.token AS token, o.time AS time, least(toFloat64(o.amount), 1e60) AS units,
        toFloat64(sum(toUInt256(units)) OVER (PARTITION BY o.address, o.direction, o.token, toDate(o.time, 'UTC'))) AS day_units
      FROM ledger AS o
      WHERE o.network = {network:String} AND o.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})) AS wanted)
        AND o.time >= toDateTime({since:UInt32}, 'UTC') AND o.time < toDateTime({until:UInt32}, 'UTC')
        AND o.kind NOT IN ('fee', 'tip', 'rent', 'erc721', 'erc1155') AND o.amount > 0 AND o.peer != '' AND o.peer != o.address AND o.peer != unhex({wallet:String})
    ) AS l
    LEFT JOIN (
      SELECT r.address AS address, min(r.category) AS category
      FROM labels AS r FINAL
      WHERE r.network = {network:String} AND has({categories:Array(String)}, r.category)
        AND r.valid_from <= toDateTime({block_time:UInt32}, 'UTC')
      GROUP BY r.address
    ) AS k ON k.address = l.peer
    LEFT JOIN (
      SELECT q.token AS token, toUnixTimestamp(q.hour) AS hour, q.price_usd / exp10(d.decimals) AS unit_usd,
        q.sell_reserve * exp10(d.decimals) AS unit_reserve, q.sell_payout_usd AS payout_usd
      FROM prices AS q FINAL
      INNER JOIN (
        SELECT c.token AS token, assumeNotNull(c.decimals) AS decimals
        FROM tokens AS c FINAL
        WHERE c.network = {network:String} AND c.decimals IS NOT NULL
      ) AS d ON d.token = q.token
      WHERE q.network = {network:String}
        AND q.hour >= toStartOfHour(toDateTime({since:UInt32}, 'UTC')) AND q.hour < toDateTime({until:UInt32}, 'UTC')
    ) AS p ON p.token = if(l.token = '', unhex({wrapped:String}), l.token) AND p.hour = toUnixTimestamp(toStartOfHour(l.time))
  ) AS x
  GROUP BY x.address, x.direction, x.asset, x.peer, x.category
) AS s
GROUP BY s.address, s.direction, s.asset, s.category
ORDER BY address, direction, asset, category
