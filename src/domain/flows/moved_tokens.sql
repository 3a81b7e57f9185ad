-- Tokens that one wallet moved in a window: how they call themselves, and what the spam filter must know of them.
-- wallet: hex. since, until: unix seconds, since inside, until outside. Fees and tips are no movements.
-- has_price: the stored prices know the token in some hour of the window.
SELECT lower(hex(m.token)) AS token, m.is_initiated AS is_initiated, m.is_received AS is_received,
  t.name AS name, t.symbol AS symbol, ifNull(t.has_hidden, 0) AS has_hidden, m.token IN (
    SELECT p.token
    FROM prices AS p
    WHERE p.network = {network:String}
      AND p.hour >= toStartOfHour(toDateTime({since:UInt32}, 'UTC')) AND p.hour < toDateTime({until:UInt32}, 'UTC')
      AND p.token IN (
        SELECT o.token
        FROM ledger AS o
        PREWHERE o.network = {network:String} AND o.address = unhex({wallet:String})
        WHERE o.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
          AND (o._table = 'ledger_final') = (o.block_number <= {final_block:UInt64})
          AND o.time >= toDateTime({since:UInt32}, 'UTC') AND o.time < toDateTime({until:UInt32}, 'UTC'))) AS has_price
FROM (
  SELECT l.token AS token, max(l.sender = l.address) AS is_initiated, max(l.direction = 1) AS is_received
  FROM ledger AS l
  WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
    AND l.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
    AND (l._table = 'ledger_final') = (l.block_number <= {final_block:UInt64})
    AND l.time >= toDateTime({since:UInt32}, 'UTC') AND l.time < toDateTime({until:UInt32}, 'UTC')
    AND l.kind NOT IN ('fee', 'tip', 'rent')
  GROUP BY l.token
) AS m
LEFT JOIN (
  SELECT k.token AS token, k.name AS name, k.symbol AS symbol, k.has_hidden AS has_hidden
  FROM tokens AS k FINAL
  WHERE k.network = {network:String}
    AND k.token IN (
      SELECT o.token
      FROM ledger AS o
      PREWHERE o.network = {network:String} AND o.address = unhex({wallet:String})
      WHERE o.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
        AND (o._table = 'ledger_final') = (o.block_number <= {final_block:UInt64})
        AND o.time >= toDateTime({since:UInt32}, 'UTC') AND o.time < toDateTime({until:UInt32}, 'UTC'))
) AS t ON t.token = m.token
ORDER BY token
