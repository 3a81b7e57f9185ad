-- Pools of known venues between a token of `left` and a token of `right`, an empty list means any token.
-- left, right: addresses as hex. Pools come from their factory's event, or were read from the contract.
SELECT
  lower(hex(p.pool)) AS pool,
  any(p.family) AS family,
  lower(hex(any(p.token0))) AS token0,
  lower(hex(any(p.token1))) AS token1
FROM (
  SELECT pool, family, token0, token1
  FROM pools
  WHERE network = {network:String}
    AND venue != ''
  UNION ALL
  SELECT pool, family, token0, token1
  FROM pools_read
  WHERE network = {network:String} AND venue != ''
) AS p
WHERE (
    (empty({left:Array(String)}) OR p.token0 IN (SELECT unhex(arrayJoin({left:Array(String)})) AS wanted))
    AND (empty({right:Array(String)}) OR p.token1 IN (SELECT unhex(arrayJoin({right:Array(String)})) AS wanted))
  ) OR (
    (empty({left:Array(String)}) OR p.token1 IN (SELECT unhex(arrayJoin({left:Array(String)})) AS wanted))
    AND (empty({right:Array(String)}) OR p.token0 IN (SELECT unhex(arrayJoin({right:Array(String)})) AS wanted))
  )
GROUP BY p.pool
ORDER BY pool
