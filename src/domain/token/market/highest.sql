-- The highest stored price of a token up to an hour, and the first hour that had it. No row without prices.
-- token: hex. until: first second of the last hour that counts.
SELECT p.price_usd AS price_usd, toUnixTimestamp(p.hour) AS hour
FROM prices AS p FINAL
WHERE p.network = {network:String} AND p.token = unhex({token:String}) AND p.hour <= toDateTime({until:UInt32}, 'UTC')
ORDER BY p.price_usd DESC, p.hour
LIMIT 1
