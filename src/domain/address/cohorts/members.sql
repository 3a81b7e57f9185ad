-- Members of a cohort on a day, the best first.
SELECT lower(hex(c.address)) AS address, c.rank AS rank
FROM cohorts_daily AS c FINAL
WHERE c.network = {network:String} AND c.cohort = {cohort:String} AND c.rules = {rules:String} AND c.day = {day:UInt32}
  AND c.address != ''
ORDER BY rank, address
LIMIT {limit:UInt32}
