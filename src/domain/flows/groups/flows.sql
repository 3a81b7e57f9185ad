-- What crossed the border of each cohort by hour: movements of one token inside some blocks, base units, fees included.
-- token: hex, '' = native coin. first_block, last_block: blocks that count; is_now: from now_block on. A move between two
-- members of one cohort crosses nothing. Members: by label (categories[i] makes label_cohorts[i]), of the list of smart
-- traders of list_day, listed (listed_addresses[i], hex, is in listed_cohorts[i]), and, with_fresh, accounts whose first
-- movement lies less than fresh_s seconds before the flow; aged: hex, accounts that moved earlier elsewhere.
-- 'unclassified': everybody else but the void and `burns` (hex).
-- Who belongs to what is asked once for both sides: it reads the ledger of everybody who moved the token.
WITH
  @cohort_members
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
