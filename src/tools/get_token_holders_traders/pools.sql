-- Pools among some addresses, and the verified pools of one token (hex; 'none' asks for no token).
-- addresses: hex.
SELECT lower(hex(a.pool)) AS pool, max(a.is_of_token AND a.venue != '') AS is_verified_of_token
FROM (
  SELECT q.pool AS pool, q.venue AS venue, lower(hex(q.token0)) = {token:String} OR lower(hex(q.token1)) = {token:String} AS is_of_token
  FROM pools AS q
  WHERE q.network = {network:String}
    AND q.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
    AND (q._table = 'pools_final') = (q.block_number <= {final_block:UInt64})
  UNION ALL
  SELECT r.pool AS pool, r.venue AS venue, lower(hex(r.token0)) = {token:String} OR lower(hex(r.token1)) = {token:String} AS is_of_token
  FROM pools_read AS r
  WHERE r.network = {network:String}
) AS a
WHERE (a.is_of_token AND a.venue != '') OR has({addresses:Array(String)}, lower(hex(a.pool)))
GROUP BY a.pool
ORDER BY pool
