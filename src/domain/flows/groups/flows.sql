-- What crossed the border of each cohort by hour: movements of one token inside some blocks, base units, fees included.
-- token: hex, '' = native coin. first_block, last_block: blocks that count; is_now: from now_block on. A move between two
-- members of one cohort crosses nothing. Members: by label (categories[i] makes label_cohorts[i]), of the list of smart
-- traders of list_day, listed (listed_addresses[i], hex, is in listed_cohorts[i]), and, with_fresh, accounts whose first
-- movement lies less than fresh_s seconds before the flow; aged: hex, accounts that moved earlier elsewhere.
-- 'unclassified': everybody else but the void and `burns` (hex).
-- Who belongs to what is asked once for both sides: it reads the ledger of everybody who moved the token.
WITH
  member AS (
    SELECT l.address AS address, transform(l.category, {categories:Array(String)}, {label_cohorts:Array(String)}, '') AS cohort,
      toUInt32(4294967295) AS until
    FROM labels AS l FINAL
    WHERE l.network = {network:String} AND has({categories:Array(String)}, l.category)
      AND l.valid_from <= toDateTime({block_time:UInt32}, 'UTC')
    UNION ALL
    SELECT s.address, 'smart_trader', toUInt32(4294967295)
    FROM cohorts_daily AS s FINAL
    WHERE s.network = {network:String} AND s.cohort = 'smart_trader' AND s.rules = {rules:String}
      AND s.day = {list_day:UInt32} AND s.address != ''
    UNION ALL
    SELECT unhex(listed.2), listed.1, toUInt32(4294967295)
    FROM (SELECT arrayJoin(arrayZip({listed_cohorts:Array(String)}, {listed_addresses:Array(String)})) AS listed)
    UNION ALL
    SELECT f.address, 'fresh_wallets', toUInt32(toUnixTimestamp(min(f.time)) + {fresh_s:UInt32})
    FROM ledger AS f
    WHERE f.network = {network:String} AND {with_fresh:UInt8} = 1
      AND f.address IN (
        SELECT arrayJoin([o.source, o.destination]) AS party
        FROM token_ledger AS o
        PREWHERE o.network = {network:String} AND o.token = unhex({token:String})
        WHERE {with_fresh:UInt8} = 1
          AND o.block_number BETWEEN greatest({from_block:UInt64}, {first_block:UInt64}) AND least({to_block:UInt64}, {last_block:UInt64}))
      AND f.address NOT IN (SELECT unhex(arrayJoin({aged:Array(String)})) AS address)
      AND f.address NOT IN (
        SELECT c.address FROM contracts AS c
        PREWHERE c.network = {network:String})
      AND f.address NOT IN (
        SELECT e.address FROM labels AS e FINAL
        WHERE e.network = {network:String} AND e.category = 'dex' AND e.valid_from <= toDateTime({block_time:UInt32}, 'UTC'))
    GROUP BY f.address
  ),
  grouped AS (SELECT address, groupUniqArray((cohort, until)) AS cohorts FROM member GROUP BY address),
  gone AS (SELECT '' AS address UNION ALL SELECT unhex(arrayJoin({burns:Array(String)})))
SELECT x.crossing.1 AS cohort, x.is_now AS is_now, x.hour AS hour, sumIf(x.amount, x.crossing.2 = 1) AS inflow,
  sumIf(x.high, x.crossing.2 = 1) AS inflow_high, sumIf(x.amount, x.crossing.2 = -1) AS outflow,
  sumIf(x.high, x.crossing.2 = -1) AS outflow_high
FROM (
  SELECT v.is_now AS is_now, v.hour AS hour, v.amount AS amount, v.high AS high,
    arrayJoin(arrayConcat(
      arrayMap(c -> (c, 1), arrayFilter(c -> NOT has(v.left, c), v.reached)),
      arrayMap(c -> (c, -1), arrayFilter(c -> NOT has(v.reached, c), v.left)))) AS crossing
  FROM (
    SELECT p.is_now AS is_now, toUInt32(toUnixTimestamp(toStartOfHour(p.time, 'UTC'))) AS hour, any(p.amount) AS amount,
      any(p.high) AS high,
      arrayMap(m -> m.1, arrayFilter(m -> toUnixTimestamp(p.time) < m.2, anyIf(g.cohorts, p.party.2 = -1))) AS left_known,
      arrayMap(m -> m.1, arrayFilter(m -> toUnixTimestamp(p.time) < m.2, anyIf(g.cohorts, p.party.2 = 1))) AS reached_known,
      if(empty(left_known) AND p.source NOT IN (SELECT address FROM gone), ['unclassified'], left_known) AS left,
      if(empty(reached_known) AND p.destination NOT IN (SELECT address FROM gone), ['unclassified'], reached_known) AS reached
    FROM (
      SELECT t.source AS source, t.destination AS destination, t.time AS time,
        t.block_number >= {now_block:UInt64} AS is_now, sum(t.amount) AS amount, sum(bitShiftRight(t.amount, 128)) AS high,
        arrayJoin([(t.source, -1), (t.destination, 1)]) AS party
      FROM token_ledger AS t
      WHERE t.network = {network:String} AND t.token = unhex({token:String})
        AND t.block_number BETWEEN greatest({from_block:UInt64}, {first_block:UInt64}) AND least({to_block:UInt64}, {last_block:UInt64})
        AND t.amount > 0 AND t.source != t.destination
      GROUP BY t.source, t.destination, t.time, is_now
    ) AS p
    LEFT JOIN grouped AS g ON g.address = p.party.1
    GROUP BY p.source, p.destination, p.time, p.is_now
  ) AS v
) AS x
GROUP BY cohort, is_now, hour
ORDER BY cohort, is_now, hour
