-- First and last hour with stored prices, and their number: the hours of a dollar coin, which has a price in every
-- hour. No row without any. anchor: its address as hex. rows: includes outdated versions of rewritten hours.
SELECT
  toUnixTimestamp(min(p.hour)) AS first_hour,
  toUnixTimestamp(max(p.hour)) AS last_hour,
  uniqExact(p.hour) AS hours,
  count() AS rows
FROM prices AS p
WHERE p.network = {network:String} AND p.token = unhex({anchor:String})
HAVING count() > 0
