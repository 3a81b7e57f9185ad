-- Amounts of one token that some pools paid out and took in by hour, in base units, in trades of a group of traders,
-- with the numbers of these trades. pools, firsts: pools of the token, and those with it as the first coin, hex. since,
-- until: unix seconds, both inside. A round trip inside a transaction trades nothing. The group: all traders when
-- is_all, else `members` (hex) and the addresses with a label of one of `categories`.
WITH
  wanted AS (
    @group_members
  ),
  if(s.pool IN (SELECT unhex(arrayJoin({firsts:Array(String)})) AS first), s.amount0, s.amount1) AS change
SELECT
  toUInt32(toUnixTimestamp(toStartOfHour(s.time, 'UTC'))) AS hour,
  sumIf(abs(change), change < 0) AS bought,
  sumIf(bitShiftRight(abs(change), 128), change < 0) AS bought_high,
  countIf(change < 0) AS bought_count,
  sumIf(abs(change), change > 0) AS sold,
  sumIf(bitShiftRight(abs(change), 128), change > 0) AS sold_high,
  countIf(change > 0) AS sold_count
FROM (
  @net_swaps
) AS s
WHERE ({is_all:UInt8} OR s.trader IN (SELECT address FROM wanted))
GROUP BY hour
ORDER BY hour
