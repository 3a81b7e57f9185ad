-- Which of these addresses a list names, and which are tokens or contracts. addresses: hex. rules: sources that are rules of the
-- index. An address that a list calls a deposit address may still be found to be one.
SELECT lower(hex(n.address)) AS address, max(n.kind = 'list') AS is_listed, max(n.kind = 'token') AS is_token,
  max(n.kind = 'contract') AS is_contract
FROM (
  SELECT k.address AS address, 'list' AS kind
  FROM labels AS k FINAL
  WHERE k.network = {network:String} AND k.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
    AND k.category NOT IN ('', 'exchange_deposit') AND k.source NOT IN {rules:Array(String)}
  UNION ALL
  SELECT t.token, 'token'
  FROM tokens AS t
  WHERE t.network = {network:String} AND t.token IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
  UNION ALL
  SELECT c.address, 'contract'
  FROM contracts AS c
  WHERE c.tail = 0 AND c.network = {network:String} AND c.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
) AS n
GROUP BY n.address
ORDER BY address
