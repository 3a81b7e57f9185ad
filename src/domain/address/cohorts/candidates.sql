-- Traders who may meet the rule of smart traders: enough swaps, over enough tokens, in a window, and no service by label.
-- since: unix seconds, the first one inside; the window ends at to_block. categories: labels that exclude.
SELECT lower(hex(s.trader)) AS trader, uniqExact(s.block_number, s.tx_index) AS transactions
FROM swaps AS s
INNER JOIN (
  SELECT q.pool AS pool, any([q.token0, q.token1]) AS sides
  FROM (
    SELECT p.pool AS pool, p.token0 AS token0, p.token1 AS token1
    FROM pools AS p
    WHERE p.network = {network:String} AND p.venue != ''
    UNION ALL
    SELECT r.pool AS pool, r.token0 AS token0, r.token1 AS token1
    FROM pools_read AS r
    WHERE r.network = {network:String} AND r.venue != ''
  ) AS q
  GROUP BY q.pool
) AS k ON k.pool = s.pool
WHERE s.network = {network:String}
  AND s.time >= toDateTime({since:UInt32}, 'UTC')
  AND s.trader NOT IN (
    SELECT l.address FROM labels AS l FINAL
    WHERE l.network = {network:String} AND has({categories:Array(String)}, l.category)
      AND l.valid_from <= toDateTime({block_time:UInt32}, 'UTC'))
GROUP BY s.trader
HAVING transactions >= {transactions_min:UInt32} AND length(groupUniqArrayArray(k.sides)) >= {tokens_min:UInt32}
ORDER BY transactions DESC, trader
LIMIT {limit:UInt32}
