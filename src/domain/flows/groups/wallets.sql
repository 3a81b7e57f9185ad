-- Who of each cohort moved a token inside some blocks, the largest net flows first, at most `limit` of a cohort.
-- Parameters as in flows.sql. hours, prices: USD price of one base unit by hour, in parallel; unpriced counts the flows
-- of other hours. wallets: members of the cohort with a flow. overlap: addresses with a flow in two cohorts or more.
-- Moves between members of one cohort count for each of them.
WITH
  @cohort_members
SELECT y.cohort AS cohort, lower(hex(y.address)) AS address, y.raw_in AS raw_in, y.raw_in_high AS raw_in_high,
  y.raw_out AS raw_out, y.raw_out_high AS raw_out_high, y.in_usd AS in_usd,
  y.out_usd AS out_usd, y.unpriced AS unpriced, y.wallets AS wallets, y.overlap AS overlap
FROM (
  SELECT z.cohort AS cohort, z.address AS address, z.raw_in AS raw_in, z.raw_in_high AS raw_in_high, z.raw_out AS raw_out,
    z.raw_out_high AS raw_out_high, z.in_usd AS in_usd,
    z.out_usd AS out_usd, z.unpriced AS unpriced,
    count() OVER (PARTITION BY z.cohort) AS wallets,
    uniqExactIf(z.address, z.cohorts > 1) OVER () AS overlap
  FROM (
    SELECT w.cohort AS cohort, w.address AS address, w.raw_in AS raw_in, w.raw_in_high AS raw_in_high, w.raw_out AS raw_out,
      w.raw_out_high AS raw_out_high, w.in_usd AS in_usd,
      w.out_usd AS out_usd, w.unpriced AS unpriced, count() OVER (PARTITION BY w.address) AS cohorts
    FROM (
      SELECT x.cohort AS cohort, x.address AS address, sumIf(x.amount, x.direction = 1) AS raw_in,
        sumIf(bitShiftRight(x.amount, 128), x.direction = 1) AS raw_in_high, sumIf(x.amount, x.direction = -1) AS raw_out,
        sumIf(bitShiftRight(x.amount, 128), x.direction = -1) AS raw_out_high,
        toFloat64(sumIf(x.nano, x.direction = 1)) / 1e9 AS in_usd, toFloat64(sumIf(x.nano, x.direction = -1)) / 1e9 AS out_usd,
        countIf(x.unit_usd < 0) AS unpriced
      FROM (
        SELECT v.address AS address, v.direction AS direction, v.amount AS amount, v.unit_usd AS unit_usd,
          if(v.unit_usd < 0, toInt256(0), toInt256(round(least(toFloat64(v.amount) * v.unit_usd, 1e30) * 1e9))) AS nano,
          arrayJoin(v.cohorts) AS cohort
        FROM (
          SELECT s.1 AS address, s.2 AS direction, t.amount AS amount,
            transform(toUInt32(toUnixTimestamp(toStartOfHour(t.time, 'UTC'))), {hours:Array(UInt32)}, {prices:Array(Float64)},
              toFloat64(-1)) AS unit_usd,
            arrayMap(m -> m.1, arrayFilter(m -> toUnixTimestamp(t.time) < m.2, a.cohorts)) AS known,
            if(empty(known), ['unclassified'], known) AS cohorts
          FROM (
            SELECT o.time AS time, o.amount AS amount, arrayJoin([(o.source, -1), (o.destination, 1)]) AS s
            FROM token_ledger AS o
            WHERE o.network = {network:String} AND o.token = unhex({token:String})
              AND o.block_number BETWEEN greatest({from_block:UInt64}, {first_block:UInt64}) AND least({to_block:UInt64}, {last_block:UInt64})
              AND o.amount > 0 AND o.source != o.destination
          ) AS t
          LEFT JOIN grouped AS a ON a.address = s.1
          WHERE s.1 NOT IN (SELECT address FROM gone)
        ) AS v
      ) AS x
      GROUP BY x.cohort, x.address
    ) AS w
  ) AS z
) AS y
ORDER BY cohort, abs(y.in_usd - y.out_usd) DESC,
  greatest(y.raw_in_high, y.raw_out_high) - least(y.raw_in_high, y.raw_out_high) DESC,
  greatest(y.raw_in, y.raw_out) - least(y.raw_in, y.raw_out) DESC, address
LIMIT {limit:UInt32} BY cohort
