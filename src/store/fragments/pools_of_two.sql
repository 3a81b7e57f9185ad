-- Pools that trade two of these tokens, announced or read from the pool itself. tokens: hex.
SELECT p.pool FROM pools AS p
PREWHERE p.network = {network:String}
WHERE p.token0 IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS moved)
  AND p.token1 IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS moved)
UNION ALL
SELECT r.pool FROM pools_read AS r
WHERE r.network = {network:String}
  AND r.token0 IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS moved)
  AND r.token1 IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS moved)
