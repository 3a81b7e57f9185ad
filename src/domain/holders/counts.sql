-- How many addresses hold each of these tokens, exact at to_block. Tokens that nobody holds are absent. tokens: as hex.
-- supply: how much they hold together. below_zero, beyond: addresses whose movements add up to no balance that there can be.
-- One row more says how far the sums reach (above): store/balances.ts.
SELECT lower(hex(token_bytes)) AS token, countIf(top > 0 OR (top = 0 AND amount != 0)) AS holders,
  countIf(top < 0) AS below_zero, countIf(top >= bitShiftLeft(toInt256(1), 128)) AS beyond,
  sumIf(amount, top >= 0) AS supply, sumIf(amount_high, top >= 0) AS supply_high,
  c.above AS above
FROM (
  SELECT token_bytes, holder_bytes, sum(delta) AS amount, sum(high) AS amount_high, max(reach) AS above,
    amount_high + bitShiftRight(amount - bitShiftLeft(amount_high, 128), 128) AS top
  FROM (
    @holder_changes_of_tokens
  )
  GROUP BY token_bytes, holder_bytes
  HAVING amount != 0 OR top != 0 OR above > 0
) AS c
GROUP BY token_bytes, c.above
ORDER BY token, above
