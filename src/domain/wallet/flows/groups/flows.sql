-- Flows across the border of each cohort by hour, with their numbers: movements of one token in a range of blocks, base units, fees
-- included. token: hex, '' = native coin. first_block, last_block: the range; is_now: from now_block on. A transfer
-- between two members of one cohort crosses no border. Members: by label (categories[i] makes label_cohorts[i]), of the
-- list of smart traders of list_day, listed (listed_addresses[i], hex, is in listed_cohorts[i]), and, with_fresh,
-- accounts whose first movement is less than fresh_s seconds before the flow; aged: hex, accounts that moved earlier
-- elsewhere. since: unix seconds; an account that moved anything by then is not fresh at any of these flows, and for
-- nearly all accounts the stored sums prove that without their ledgers. 'unclassified': all other addresses except the
-- void and `burns` (hex).
WITH
  @cohort_members
SELECT x.crossing.1 AS cohort, x.is_now AS is_now, x.hour AS hour, sumIf(x.amount, x.crossing.2 = 1) AS inflow,
  sumIf(x.high, x.crossing.2 = 1) AS inflow_high, sumIf(x.amount, x.crossing.2 = -1) AS outflow,
  sumIf(x.high, x.crossing.2 = -1) AS outflow_high,
  countIf(x.crossing.2 = 1) AS inflows, countIf(x.crossing.2 = -1) AS outflows
FROM (
  SELECT v.is_now AS is_now, v.hour AS hour, v.amount AS amount, v.high AS high,
    arrayJoin(arrayConcat(
      arrayMap(c -> (c, 1), arrayFilter(c -> NOT has(v.left, c), v.reached)),
      arrayMap(c -> (c, -1), arrayFilter(c -> NOT has(v.reached, c), v.left)))) AS crossing
  FROM (
    SELECT t.block_number >= {now_block:UInt64} AS is_now, toUInt32(toUnixTimestamp(toStartOfHour(t.time, 'UTC'))) AS hour,
      t.amount AS amount, bitShiftRight(t.amount, 128) AS high,
      arrayConcat(ks.cohorts, if(toUnixTimestamp(t.time) < fs.until, ['fresh_wallets'], [])) AS left_known,
      arrayConcat(kd.cohorts, if(toUnixTimestamp(t.time) < fd.until, ['fresh_wallets'], [])) AS reached_known,
      if(empty(left_known) AND t.source NOT IN (SELECT address FROM gone), ['unclassified'], left_known) AS left,
      if(empty(reached_known) AND t.destination NOT IN (SELECT address FROM gone), ['unclassified'], reached_known) AS reached
    FROM token_ledger AS t
    LEFT JOIN known AS ks ON ks.key = sipHash128(t.source)
    LEFT JOIN known AS kd ON kd.key = sipHash128(t.destination)
    LEFT JOIN fresh AS fs ON fs.key = sipHash128(t.source)
    LEFT JOIN fresh AS fd ON fd.key = sipHash128(t.destination)
    WHERE t.network = {network:String} AND t.token = unhex({token:String})
      AND t.block_number BETWEEN greatest({from_block:UInt64}, {first_block:UInt64}) AND least({to_block:UInt64}, {last_block:UInt64})
      AND t.amount > 0 AND t.source != t.destination
  ) AS v
) AS x
GROUP BY cohort, is_now, hour
ORDER BY cohort, is_now, hour
