-- Who of each cohort moved a token inside some blocks, the largest net flows first, at most `limit` of a cohort.
-- Parameters as in flows.sql. hours, prices: USD price of one base unit by hour, in parallel; unpriced counts the flows
-- of other hours. wallets: members of the cohort with a flow. overlap: addresses with a flow in two cohorts or more.
-- Moves between members of one cohort count for each of them.
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
