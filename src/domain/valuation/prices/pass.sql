-- First and last hour that the pass from the oldest hour has stored, and their number: the hours of a dollar coin,
-- which every hour has and writes last. No row without any. anchor: its address as hex.
SELECT
  toUnixTimestamp(min(p.hour)) AS first_hour,
  toUnixTimestamp(max(p.hour)) AS last_hour,
  uniqExact(p.hour) AS hours
FROM prices AS p
WHERE p.network = {network:String} AND p.token = unhex({anchor:String})
  AND p.version = (SELECT max(q.version) FROM prices AS q WHERE q.network = {network:String} AND q.token = unhex({anchor:String}))
HAVING count() > 0
