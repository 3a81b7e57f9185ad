-- Cohorts by address (`known`), fresh addresses with the end of their freshness (`fresh`, a subset of `young`), and the void and
-- burn addresses, which belong to no cohort (`gone`); parameters as in domain/wallet/flows/groups/flows.sql. key: sipHash128 of the address.
known AS MATERIALIZED (
  SELECT sipHash128(m.address) AS key, groupUniqArray(m.cohort) AS cohorts
  FROM (
    SELECT l.address AS address, transform(l.category, {categories:Array(String)}, {label_cohorts:Array(String)}, '') AS cohort
    FROM labels AS l FINAL
    WHERE l.network = {network:String} AND has({categories:Array(String)}, l.category)
      AND l.valid_from <= toDateTime({block_time:UInt32}, 'UTC')
    UNION ALL
    SELECT s.address, 'smart_trader'
    FROM cohorts_daily AS s FINAL
    WHERE s.network = {network:String} AND s.cohort = 'smart_trader' AND s.rules = {rules:String}
      AND s.day = {list_day:UInt32} AND s.address != ''
    UNION ALL
    SELECT unhex(listed.2), listed.1
    FROM (SELECT arrayJoin(arrayZip({listed_cohorts:Array(String)}, {listed_addresses:Array(String)})) AS listed)
  ) AS m
  GROUP BY key
),
movers AS MATERIALIZED (
  SELECT DISTINCT arrayJoin([o.source, o.destination]) AS address
  FROM token_ledger AS o
  PREWHERE o.network = {network:String} AND o.token = unhex({token:String})
  WHERE {with_fresh:UInt8} = 1
    AND o.block_number BETWEEN greatest({from_block:UInt64}, {first_block:UInt64}) AND least({to_block:UInt64}, {last_block:UInt64})
),
young AS MATERIALIZED (
  SELECT f.address AS address, toUInt32(toUnixTimestamp(min(f.time)) + {fresh_s:UInt32}) AS until
  FROM ledger AS f
  WHERE f.network = {network:String} AND {with_fresh:UInt8} = 1
    AND f.address IN (
      SELECT m.address FROM movers AS m
      WHERE m.address NOT IN (
        SELECT b.holder FROM balances_by_holder AS b
        WHERE b.network = {network:String} AND b.holder IN (SELECT address FROM movers) AND b.first_block < {earliest_block:UInt64}))
  GROUP BY f.address
  HAVING min(f.time) > toDateTime({since:UInt32}, 'UTC')
),
fresh AS MATERIALIZED (
  SELECT sipHash128(y.address) AS key, y.until AS until
  FROM young AS y
  WHERE y.address NOT IN (SELECT unhex(arrayJoin({aged:Array(String)})) AS address)
    AND y.address NOT IN (
      SELECT c.address FROM contracts AS c
      PREWHERE c.network = {network:String}
      WHERE c.address IN (SELECT address FROM young))
    AND y.address NOT IN (
      SELECT e.address FROM labels AS e FINAL
      WHERE e.network = {network:String} AND e.category = 'dex' AND e.valid_from <= toDateTime({block_time:UInt32}, 'UTC'))
),
gone AS (SELECT '' AS address UNION ALL SELECT unhex(arrayJoin({burns:Array(String)})))
