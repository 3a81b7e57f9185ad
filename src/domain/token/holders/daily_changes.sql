-- Change of a token's number of holders in each interval, exact if its whole history is indexed. token: hex, '' =
-- native coin; tokens: a list with this token only. since: unix seconds, earlier movements do not count. since_block:
-- its first block. interval_s: seconds, intervals are counted from `since`. Holders: all of them when is_all, else
-- `members` (hex) and the addresses with a label of one of `categories`; of these, one of `shards` shards, whose
-- results add up. key: sipHash128 of the address. An extra row (part 4294967295) has the end of the stored sums
-- (above).
WITH
  wanted AS (
    @group_members
  )
SELECT part,
  toInt64(countIf(top_after > 0 OR (top_after = 0 AND after != 0)))
    - toInt64(countIf(top_before > 0 OR (top_before = 0 AND before != 0))) AS change,
  toUInt64(0) AS above
FROM (
  SELECT m.part AS part, b.amount - m.later + m.delta AS after, b.high - m.later_high + m.high AS high_after,
    b.amount - m.later AS before, b.high - m.later_high AS high_before,
    high_after + bitShiftRight(after - bitShiftLeft(high_after, 128), 128) AS top_after,
    high_before + bitShiftRight(before - bitShiftLeft(high_before, 128), 128) AS top_before
  FROM (
    SELECT key, part, delta, high,
      sum(delta) OVER (PARTITION BY key ORDER BY part DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS later,
      sum(high) OVER (PARTITION BY key ORDER BY part DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS later_high
    FROM (
      SELECT sipHash128(side.1) AS key, toUInt32(intDiv(toUnixTimestamp(time) - {since:UInt32}, {interval_s:UInt32})) AS part,
        sum(toInt256(amount) * side.2) AS delta, sum(toInt256(bitShiftRight(amount, 128)) * side.2) AS high
      FROM token_ledger
      ARRAY JOIN [(source, -1), (destination, 1)] AS side
      PREWHERE network = {network:String} AND token = unhex({token:String})
      WHERE block_number BETWEEN greatest({from_block:UInt64}, {since_block:UInt64}) AND {to_block:UInt64}
        AND amount > 0 AND source != destination
        AND side.1 != '' AND ({is_all:UInt8} OR side.1 IN (SELECT address FROM wanted))
        AND cityHash64(side.1) % {shards:UInt32} = {shard:UInt32}
      GROUP BY key, part
    )
  ) AS m
  INNER JOIN (
    SELECT key, sum(delta) AS amount, sum(high) AS high
    FROM (
      SELECT sipHash128(holder) AS key, amount AS delta, high
      FROM balances
      WHERE network = {network:String} AND token = unhex({token:String}) AND {with_sums:UInt8}
        AND cityHash64(holder) % {shards:UInt32} = {shard:UInt32}
        AND holder IN (
          SELECT party
          FROM token_ledger
          ARRAY JOIN [source, destination] AS party
          PREWHERE network = {network:String} AND token = unhex({token:String})
          WHERE block_number BETWEEN greatest({from_block:UInt64}, {since_block:UInt64}) AND {to_block:UInt64}
            AND amount > 0 AND source != destination
            AND party != '' AND ({is_all:UInt8} OR party IN (SELECT address FROM wanted))
            AND cityHash64(party) % {shards:UInt32} = {shard:UInt32})
      UNION ALL
      SELECT sipHash128(holder_bytes) AS key, delta, high
      FROM (@holder_changes)
      WHERE cityHash64(holder_bytes) % {shards:UInt32} = {shard:UInt32}
    )
    GROUP BY key
  ) AS b ON b.key = m.key
)
GROUP BY part
ORDER BY part
UNION ALL
SELECT 4294967295, 0, max(last_block) + 1
FROM balances
WHERE network = {network:String} AND token = '' AND holder = '' AND {with_sums:UInt8}
HAVING count() > 0
