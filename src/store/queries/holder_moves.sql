-- Gains and losses of tokens per address in blocks from since on, and the part after the final block (tail_delta).
-- tokens: as hex. At most row_limit rows.
SELECT
  lower(hex(token)) AS token,
  lower(hex(side.1)) AS holder,
  sum(side.2) AS delta,
  sum(side.3) AS delta_high,
  sumIf(side.2, block_number > {final_block:UInt64}) AS tail_delta,
  sumIf(side.3, block_number > {final_block:UInt64}) AS tail_delta_high
FROM token_ledger
ARRAY JOIN [
  (source, -toInt256(amount), -toInt256(bitShiftRight(amount, 128))),
  (destination, toInt256(amount), toInt256(bitShiftRight(amount, 128)))
] AS side
WHERE network = {network:String}
  AND token IN (SELECT unhex(arrayJoin({tokens:Array(String)})))
  AND block_number BETWEEN {since:UInt64} AND {to_block:UInt64} AND tail >= ({since:UInt64} > {final_block:UInt64})
  AND side.1 != ''
GROUP BY token, side.1
ORDER BY token, holder
LIMIT {row_limit:UInt32}
SETTINGS max_threads = 1
