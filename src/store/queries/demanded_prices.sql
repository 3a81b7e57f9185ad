-- Answers to (tokens[i], hours[i], blocks[i]); a question without an answer is absent. hours: first second; blocks: 0 for whole hours.
WITH asked AS (
  SELECT unhex(one.1) AS token, toDateTime(one.2, 'UTC') AS hour, one.3 AS at_block
  FROM (SELECT arrayJoin(arrayZip({tokens:Array(String)}, {hours:Array(UInt32)}, {blocks:Array(UInt64)})) AS one)
)
SELECT lower(hex(p.token)) AS token, toUnixTimestamp(p.hour) AS hour, p.at_block AS at_block, p.state AS state, p.price_usd AS price_usd,
  p.depth_usd AS depth_usd, p.cost_to_move_usd AS cost_to_move_usd, p.sell_reserve AS sell_reserve, p.sell_payout_usd AS sell_payout_usd,
  p.method AS method, p.confidence AS confidence, p.since AS since, toUnixTimestamp64Milli(p.written_at) AS written_ms
FROM demanded_prices AS p FINAL
WHERE p.network = {network:String}
  AND p.hour IN (SELECT hour FROM asked)
  AND (p.token, p.hour, p.at_block) IN (SELECT token, hour, at_block FROM asked)
ORDER BY token, hour, at_block
