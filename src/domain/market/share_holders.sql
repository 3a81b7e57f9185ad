-- Who holds tokens, the largest of each first, exact at to_block: the `limit` largest, and everybody who keeps for good or
-- for a time: `kept`, and addresses with a label of one of `categories`. tokens, kept: as hex. supply: what all hold.
-- Sums and ledger meet as in wallet_balances.sql.
WITH
  (
    SELECT if(count() = 0, {from_block:UInt64}, max(last_block) + 1)
    FROM balances
    WHERE network = {network:String} AND token = '' AND holder = ''
  ) AS above,
  above <= {to_block:UInt64} + 1 AS is_summed
SELECT lower(hex(r.token_bytes)) AS token, lower(hex(r.holder_bytes)) AS holder, r.amount AS amount,
  r.amount_high AS amount_high, r.supply AS supply, r.supply_high AS supply_high
FROM (
  SELECT h.token_bytes AS token_bytes, h.holder_bytes AS holder_bytes, h.amount AS amount, h.amount_high AS amount_high,
    h.top AS top, sum(h.amount) OVER (PARTITION BY h.token_bytes) AS supply,
    sum(h.amount_high) OVER (PARTITION BY h.token_bytes) AS supply_high,
    row_number() OVER (PARTITION BY h.token_bytes ORDER BY h.top DESC, toUInt256(h.amount) DESC, h.holder_bytes) AS place
  FROM (
    SELECT token_bytes, holder_bytes, sum(delta) AS amount, sum(high) AS amount_high,
      amount_high + bitShiftRight(amount - bitShiftLeft(amount_high, 128), 128) AS top
    FROM (
      SELECT token AS token_bytes, holder AS holder_bytes, sum(amount) AS delta, toInt256(0) AS high
      FROM balances
      WHERE network = {network:String}
        AND token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
        AND holder != '' AND is_summed
      GROUP BY token, holder
      UNION ALL
      SELECT token, side.1, sum(side.2), toInt256(0)
      FROM token_ledger
      ARRAY JOIN [(source, -toInt256(amount)), (destination, toInt256(amount))] AS side
      WHERE network = {network:String}
        AND token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
        AND NOT (is_summed AND above > {to_block:UInt64})
        AND block_number BETWEEN if(is_summed, above, {from_block:UInt64}) AND {to_block:UInt64}
        AND side.1 != ''
      GROUP BY token, side.1
      UNION ALL
      SELECT token, side.1, toInt256(0), sum(side.2)
      FROM token_ledger
      ARRAY JOIN [
        (source, -toInt256(bitShiftRight(amount, 128))),
        (destination, toInt256(bitShiftRight(amount, 128)))
      ] AS side
      WHERE network = {network:String}
        AND token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
        AND amount >= bitShiftLeft(toUInt256(1), 128)
        AND (is_summed OR block_number >= {from_block:UInt64})
        AND block_number <= {to_block:UInt64}
        AND side.1 != ''
      GROUP BY token, side.1
      UNION ALL
      SELECT token, holder, toInt256(any(amount)), toInt256(bitShiftRight(any(amount), 128))
      FROM openings_by_token
      WHERE network = {network:String}
        AND token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
        AND block_number <= {from_block:UInt64}
      GROUP BY token, holder
    )
    GROUP BY token_bytes, holder_bytes
    HAVING top > 0 OR (top = 0 AND amount != 0)
  ) AS h
) AS r
WHERE r.place <= {limit:UInt32}
  OR r.holder_bytes IN (SELECT unhex(arrayJoin({kept:Array(String)})) AS wanted)
  OR r.holder_bytes IN (
    SELECT k.address FROM labels AS k FINAL
    WHERE k.network = {network:String} AND has({categories:Array(String)}, k.category)
      AND k.valid_from <= toDateTime({block_time:UInt32}, 'UTC'))
ORDER BY token, r.top DESC, toUInt256(r.amount) DESC, holder
