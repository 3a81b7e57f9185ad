-- Metadata of the tokens that one wallet moved, as far as it was read. wallet: hex. since, until: unix seconds, until outside.
SELECT lower(hex(t.token)) AS token, t.standard AS standard, t.name AS name, t.symbol AS symbol, t.decimals AS decimals,
  t.has_hidden AS has_hidden
FROM tokens AS t FINAL
WHERE t.network = {network:String} AND t.token IN (
  SELECT l.token
  FROM ledger AS l
  PREWHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  WHERE l.time >= toDateTime({since:UInt32}, 'UTC') AND l.time < toDateTime({until:UInt32}, 'UTC'))
ORDER BY token
