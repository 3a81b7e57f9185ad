-- How many addresses hold a token, and how much they hold together, exact at to_block. token: as hex.
-- below_zero, beyond: addresses whose movements add up to no balance that there can be, less than 0 or more than
-- 2^256 - 1; doubtful: 100 of both, as hex, the first by address.
-- One row more says how far the sums reach (above): store/balances.ts.
SELECT
  countIf(top > 0 OR (top = 0 AND amount != 0)) AS holders,
  sumIf(amount, top >= 0) AS supply,
  sumIf(amount_high, top >= 0) AS supply_high,
  countIf(top < 0) AS below_zero,
  countIf(top >= bitShiftLeft(toInt256(1), 128)) AS beyond,
  arrayMap(
    found -> lower(hex(found)),
    groupArraySortedIf(100)(holder_bytes, top < 0 OR top >= bitShiftLeft(toInt256(1), 128))) AS doubtful,
  c.above AS above
FROM (
  SELECT holder_bytes, sum(delta) AS amount, sum(high) AS amount_high, max(reach) AS above,
    amount_high + bitShiftRight(amount - bitShiftLeft(amount_high, 128), 128) AS top
  FROM (
    @holder_changes
  )
  GROUP BY holder_bytes
) AS c
GROUP BY c.above
ORDER BY above
