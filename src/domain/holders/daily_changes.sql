-- By how many the holders of a token grew in each interval, exact where its whole history is indexed.
-- token: hex, '' = native coin. since: unix seconds, what was before does not count. since_block: its first block.
-- interval_s: seconds, intervals are counted from `since`. Holders: all of them when is_all, else `members` (hex) and the
-- addresses with a label of one of `categories`. above: the block behind the end of the
-- kept sums of the network; is_summed: no earlier one is asked for.
WITH
  (
    SELECT if(count() = 0, {from_block:UInt64}, max(last_block) + 1)
    FROM balances
    WHERE network = {network:String} AND token = '' AND holder = ''
  ) AS above,
  above <= {to_block:UInt64} + 1 AS is_summed,
  wanted AS (
    @group_members
  ),
  moved AS (
    SELECT
      side.1 AS holder,
      toUInt32(intDiv(toUnixTimestamp(time) - {since:UInt32}, {interval_s:UInt32})) AS part,
      sum(side.2) AS delta,
      sum(side.3) AS high
    FROM token_ledger
    ARRAY JOIN [
      (source, -toInt256(amount), -toInt256(bitShiftRight(amount, 128))),
      (destination, toInt256(amount), toInt256(bitShiftRight(amount, 128)))
    ] AS side
    WHERE network = {network:String}
      AND token = unhex({token:String})
      AND block_number BETWEEN greatest({from_block:UInt64}, {since_block:UInt64}) AND {to_block:UInt64}
      AND side.1 != ''
      AND ({is_all:UInt8} OR side.1 IN (SELECT address FROM wanted))
    GROUP BY holder, part
  ),
  movers AS (
    SELECT DISTINCT party AS holder
    FROM token_ledger
    ARRAY JOIN [source, destination] AS party
    PREWHERE network = {network:String} AND token = unhex({token:String})
    WHERE block_number BETWEEN greatest({from_block:UInt64}, {since_block:UInt64}) AND {to_block:UInt64}
      AND party != ''
      AND ({is_all:UInt8} OR party IN (SELECT address FROM wanted))
  )
SELECT part,
  toInt64(countIf(top_after > 0 OR (top_after = 0 AND after != 0)))
    - toInt64(countIf(top_before > 0 OR (top_before = 0 AND before != 0))) AS change
FROM (
  SELECT m.part AS part, b.amount - m.later + m.delta AS after, b.high - m.later_high + m.high AS high_after,
    b.amount - m.later AS before, b.high - m.later_high AS high_before,
    high_after + bitShiftRight(after - bitShiftLeft(high_after, 128), 128) AS top_after,
    high_before + bitShiftRight(before - bitShiftLeft(high_before, 128), 128) AS top_before
  FROM (
    SELECT
      holder,
      part,
      delta,
      high,
      sum(delta) OVER (PARTITION BY holder ORDER BY part DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS later,
      sum(high) OVER (PARTITION BY holder ORDER BY part DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS later_high
    FROM moved
  ) AS m
  INNER JOIN (
    SELECT holder_bytes, sum(delta) AS amount, sum(high) AS high
    FROM (
      SELECT holder AS holder_bytes, sum(amount) AS delta, sum(high) AS high
      FROM balances
      WHERE network = {network:String} AND token = unhex({token:String}) AND is_summed AND holder IN (SELECT holder FROM movers)
      GROUP BY holder
      UNION ALL
      SELECT side.1, sum(side.2), sum(side.3)
      FROM token_ledger
      ARRAY JOIN [
        (source, -toInt256(amount), -toInt256(bitShiftRight(amount, 128))),
        (destination, toInt256(amount), toInt256(bitShiftRight(amount, 128)))
      ] AS side
      WHERE network = {network:String}
        AND token = unhex({token:String})
        AND NOT (is_summed AND above > {to_block:UInt64})
        AND block_number BETWEEN if(is_summed, above, {from_block:UInt64}) AND {to_block:UInt64}
        AND side.1 IN (SELECT holder FROM movers)
      GROUP BY side.1
      UNION ALL
      SELECT holder, toInt256(any(amount)), toInt256(bitShiftRight(any(amount), 128))
      FROM openings_by_token
      WHERE network = {network:String} AND token = unhex({token:String}) AND block_number <= {from_block:UInt64}
        AND holder IN (SELECT holder FROM movers)
      GROUP BY holder
    )
    GROUP BY holder_bytes
  ) AS b ON b.holder_bytes = m.holder
)
GROUP BY part
ORDER BY part
