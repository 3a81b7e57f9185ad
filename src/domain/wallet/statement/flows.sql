-- Amounts that came into a wallet and that left it in a range of blocks, by token; fees and tips that it paid are apart. wallet:
-- as hex. movements: rows of the ledger; a transfer to itself is two.
SELECT
  lower(hex(l.token)) AS token,
  l.direction AS direction,
  toUInt8(l.direction = -1 AND l.kind IN ('fee', 'tip')) AS is_fee,
  sum(toInt256(l.amount)) AS amount,
  sum(toInt256(bitShiftRight(l.amount, 128))) AS amount_high,
  count() AS movements
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
GROUP BY l.token, l.direction, is_fee
ORDER BY token, direction, is_fee
