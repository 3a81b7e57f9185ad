-- First and last hour that have stored prices, and how many: those of a dollar coin, which has one in every hour.
-- No row for none. anchor: its address as hex. rows: those that hours written anew have left too.
SELECT
  toUnixTimestamp(min(p.hour)) AS first_hour,
  toUnixTimestamp(max(p.hour)) AS last_hour,
  uniqExact(p.hour) AS hours,
  count() AS rows
FROM prices AS p
WHERE p.network = {network:String} AND p.token = unhex({anchor:String})
HAVING count() > 0
