-- Recent gains and losses of some addresses in one token, and when they first received it. token: hex, '' = native
-- coin. addresses: hex. day_ago, week_ago, month_ago: unix seconds, later movements count. is_opened: the address held
-- some before the first indexed block.
SELECT
  lower(hex(l.address)) AS address,
  sumIf(toInt256(l.amount) * l.direction, l.time > toDateTime({day_ago:UInt32}, 'UTC')) AS change_24h,
  sumIf(toInt256(bitShiftRight(l.amount, 128)) * l.direction, l.time > toDateTime({day_ago:UInt32}, 'UTC')) AS change_24h_high,
  sumIf(toInt256(l.amount) * l.direction, l.time > toDateTime({week_ago:UInt32}, 'UTC')) AS change_7d,
  sumIf(toInt256(bitShiftRight(l.amount, 128)) * l.direction, l.time > toDateTime({week_ago:UInt32}, 'UTC')) AS change_7d_high,
  sumIf(toInt256(l.amount) * l.direction, l.time > toDateTime({month_ago:UInt32}, 'UTC')) AS change_30d,
  sumIf(toInt256(bitShiftRight(l.amount, 128)) * l.direction, l.time > toDateTime({month_ago:UInt32}, 'UTC')) AS change_30d_high,
  countIf(l.direction = 1) AS receipts,
  toUnixTimestamp(minIf(l.time, l.direction = 1)) AS first_received_at,
  l.address IN (
    SELECT o.holder
    FROM openings_by_token AS o
    WHERE o.network = {network:String} AND o.token = unhex({token:String}) AND o.amount > 0) AS is_opened
FROM ledger AS l
WHERE l.network = {network:String}
  AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
  AND l.token = unhex({token:String})
  AND l.amount > 0
GROUP BY l.address
ORDER BY address
