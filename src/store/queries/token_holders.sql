-- Holders of a token whose sum is above zero, exact at to_block, largest first. token: as hex, '' = native coin.
-- top: what lies above 128 bits of the true sum. One row more, the first one, says how far the sums reach (above): store/balances.ts.
SELECT
  lower(hex(holder_bytes)) AS holder,
  sum(delta) AS amount,
  sum(high) AS amount_high,
  max(reach) AS above
FROM (
  @holder_changes
)
GROUP BY holder_bytes
HAVING (amount_high + bitShiftRight(amount - bitShiftLeft(amount_high, 128), 128) AS top) > 0 OR (top = 0 AND amount != 0) OR above > 0
ORDER BY above DESC, top DESC, toUInt256(amount) DESC, holder_bytes
LIMIT {limit:UInt32} + 1
