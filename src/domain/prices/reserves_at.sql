-- What contracts hold of tokens at a block, openings included.
-- Sums reach the marker, ledger rows between marker and block are added, or taken off when the block is older.
-- at: the block, bounds only say what is final. holders, tokens: addresses as hex.
WITH
  (SELECT max(last_block) FROM balances_by_holder WHERE network = {network:String} AND holder = '' AND token = '') AS marker
SELECT lower(hex(b.holder)) AS holder, lower(hex(b.token)) AS token, sum(b.delta) AS amount,
  sum(b.high) AS amount_high
FROM (
  SELECT holder, token, sum(amount) AS delta, toInt256(0) AS high
  FROM balances_by_holder
  WHERE network = {network:String}
    AND holder IN (SELECT unhex(arrayJoin({holders:Array(String)})) AS wanted)
    AND token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
  GROUP BY holder, token
  UNION ALL
  SELECT address AS holder, token, sum(toInt256(amount) * direction * if(block_number > marker, 1, -1)) AS delta,
    toInt256(0) AS high
  FROM ledger
  WHERE network = {network:String}
    AND address IN (SELECT unhex(arrayJoin({holders:Array(String)})) AS wanted)
    AND token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
    AND block_number > least(marker, {at:UInt64})
    AND block_number <= greatest(marker, {at:UInt64})
  GROUP BY holder, token
  UNION ALL
  SELECT address AS holder, token, toInt256(0) AS delta, sum(toInt256(bitShiftRight(amount, 128)) * direction) AS high
  FROM ledger
  WHERE network = {network:String}
    AND address IN (SELECT unhex(arrayJoin({holders:Array(String)})) AS wanted)
    AND token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
    AND amount >= bitShiftLeft(toUInt256(1), 128)
    AND block_number <= {at:UInt64}
  GROUP BY holder, token
  UNION ALL
  SELECT holder, token, toInt256(any(amount)) AS delta, toInt256(bitShiftRight(any(amount), 128)) AS high
  FROM openings
  WHERE network = {network:String}
    AND holder IN (SELECT unhex(arrayJoin({holders:Array(String)})) AS wanted)
    AND token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
  GROUP BY holder, token
) AS b
GROUP BY b.holder, b.token
ORDER BY holder, token
