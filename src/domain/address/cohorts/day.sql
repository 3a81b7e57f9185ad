-- The newest day, not after `day`, whose list of a cohort is there, and the length of the list. day: whole days since 1970.
SELECT c.day AS day, c.rank AS members
FROM cohorts_daily AS c FINAL
WHERE c.network = {network:String} AND c.cohort = {cohort:String} AND c.rules = {rules:String} AND c.day <= {day:UInt32}
  AND c.address = ''
ORDER BY day DESC
LIMIT 1
