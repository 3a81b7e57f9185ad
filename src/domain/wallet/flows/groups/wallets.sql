-- Movers of a token in a range of blocks by cohort, the largest net flows first, at most `limit` per cohort, in one of
-- `shards` shards of the addresses. Parameters as in flows.sql. hours, prices: USD price of one base unit by hour, in
-- parallel, with what can be sold at it: reserves (base units, negative = not limited), payouts (USD); unpriced counts the flows of other hours. wallets: members of the cohort with a flow. overlap: addresses
-- with a flow in two cohorts or more. Transfers between members of one cohort count for each of them. Amounts that an
-- account moved while it was fresh are summed apart (early).
WITH
  @cohort_members
SELECT y.cohort AS cohort, lower(hex(y.top.4)) AS address, y.top.5.1 AS raw_in, y.top.5.2 AS raw_in_high, y.top.5.3 AS raw_out,
  y.top.5.4 AS raw_out_high, toFloat64(y.top.5.5) / 1e9 AS in_usd, toFloat64(y.top.5.6) / 1e9 AS out_usd, y.top.5.7 AS unpriced,
  y.wallets AS wallets, y.overlap AS overlap
FROM (
  SELECT x.found.1 AS cohort, count() AS wallets, sum(countIf(x.found.3 = 2)) OVER () AS overlap,
    arrayJoin(groupArraySorted({limit:UInt32})((
      -abs(toFloat64(x.sums.5) / 1e9 - toFloat64(x.sums.6) / 1e9), bitNot(greatest(x.sums.2, x.sums.4) - least(x.sums.2, x.sums.4)),
      bitNot(greatest(x.sums.1, x.sums.3) - least(x.sums.1, x.sums.3)), x.address, x.sums))) AS top
  FROM (
    SELECT w.address AS address,
      arrayConcat(
        arrayMap(c -> (c, tuplePlus(w.early, w.late)), k.cohorts),
        if(w.early.8 > 0, [('fresh_wallets', w.early)], []),
        if(empty(k.cohorts) AND w.late.8 > 0, [('unclassified', w.late)], [])) AS all,
      arrayJoin(arrayMap((one, nth) -> (one.1, one.2, nth), all, arrayEnumerate(all))) AS found,
      found.2 AS sums
    FROM (
      WITH
        s.2 = 1 AS is_in,
        toUnixTimestamp(t.time) < f.until AS is_early,
        bitShiftRight(t.amount, 128) AS high,
        transform(toUInt32(toUnixTimestamp(toStartOfHour(t.time, 'UTC'))), {hours:Array(UInt32)}, {prices:Array(Float64)},
          toFloat64(-1)) AS unit_usd,
        transform(toUInt32(toUnixTimestamp(toStartOfHour(t.time, 'UTC'))), {hours:Array(UInt32)}, {reserves:Array(Float64)},
          toFloat64(-1)) AS unit_reserve,
        transform(toUInt32(toUnixTimestamp(toStartOfHour(t.time, 'UTC'))), {hours:Array(UInt32)}, {payouts:Array(Float64)},
          toFloat64(-1)) AS payout_usd,
        toFloat64(t.amount) AS moved,
        if(unit_usd < 0, toInt256(0), toInt256(round(least(@worth_usd, 1e30) * 1e9))) AS nano
      SELECT s.1 AS address,
        (sumIf(t.amount, is_in AND is_early), sumIf(high, is_in AND is_early), sumIf(t.amount, NOT is_in AND is_early),
          sumIf(high, NOT is_in AND is_early), sumIf(nano, is_in AND is_early), sumIf(nano, NOT is_in AND is_early),
          countIf(unit_usd < 0 AND is_early), countIf(is_early)) AS early,
        (sumIf(t.amount, is_in AND NOT is_early), sumIf(high, is_in AND NOT is_early), sumIf(t.amount, NOT is_in AND NOT is_early),
          sumIf(high, NOT is_in AND NOT is_early), sumIf(nano, is_in AND NOT is_early), sumIf(nano, NOT is_in AND NOT is_early),
          countIf(unit_usd < 0 AND NOT is_early), countIf(NOT is_early)) AS late
      FROM (
        SELECT o.time AS time, o.amount AS amount, arrayJoin([(o.source, -1), (o.destination, 1)]) AS s
        FROM token_ledger AS o
        WHERE o.network = {network:String} AND o.token = unhex({token:String})
          AND o.block_number BETWEEN greatest({from_block:UInt64}, {first_block:UInt64}) AND least({to_block:UInt64}, {last_block:UInt64})
          AND o.amount > 0 AND o.source != o.destination
      ) AS t
      LEFT JOIN fresh AS f ON f.key = sipHash128(s.1)
      WHERE s.1 NOT IN (SELECT address FROM gone) AND cityHash64(s.1) % {shards:UInt32} = {shard:UInt32}
      GROUP BY address
    ) AS w
    LEFT JOIN known AS k ON k.key = sipHash128(w.address)
  ) AS x
  GROUP BY cohort
) AS y
ORDER BY cohort, y.top
