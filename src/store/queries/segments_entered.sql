-- How often the sums of each segment have entered the two tables of balances (segment_balances.sql), by the markers there.
-- name: the table.
SELECT name, from_block, to_block, sum(entered) AS times
FROM (
  SELECT 'balances' AS name, reinterpretAsUInt64(reverse(substring(token, 2, 8))) AS from_block,
    reinterpretAsUInt64(reverse(substring(token, 10, 8))) AS to_block, toInt64(transfers) AS entered
  FROM balances
  WHERE network = {network:String} AND token > '' AND token < unhex('02') AND length(token) = 17 AND holder = ''
  UNION ALL
  SELECT 'balances_by_holder', reinterpretAsUInt64(reverse(substring(token, 2, 8))),
    reinterpretAsUInt64(reverse(substring(token, 10, 8))), toInt64(transfers)
  FROM balances_by_holder
  WHERE network = {network:String} AND holder = '' AND startsWith(token, unhex('01')) AND length(token) = 17
)
GROUP BY name, from_block, to_block
ORDER BY name, from_block, to_block
