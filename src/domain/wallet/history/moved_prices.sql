-- Stored prices of the hours in which one wallet moved a token; the native coin has that of `wrapped`. Queried as
-- columns. wallet, wrapped: hex; wrapped is '' on a network without one. since, until: unix seconds, until exclusive.
SELECT lower(hex(toLowCardinality(p.token))) AS token, toUnixTimestamp(p.hour) AS hour, p.price_usd AS price_usd,
  p.sell_reserve AS sell_reserve, p.sell_payout_usd AS sell_payout_usd,
  p.confidence != 'low' AS is_traded
FROM prices AS p FINAL
WHERE p.network = {network:String}
  AND p.hour >= toStartOfHour(toDateTime({since:UInt32}, 'UTC')) AND p.hour < toDateTime({until:UInt32}, 'UTC')
  AND (p.token, p.hour) IN (
    SELECT if(l.token = '', unhex({wrapped:String}), l.token) AS traded, toStartOfHour(l.time) AS hour
    FROM ledger AS l
    PREWHERE l.network = {network:String} AND l.address = unhex({wallet:String})
    WHERE l.time >= toDateTime({since:UInt32}, 'UTC') AND l.time < toDateTime({until:UInt32}, 'UTC'))
ORDER BY hour, p.token
