-- Who holds tokens, the largest of each first, exact at to_block: the `limit` largest, and everybody who keeps for good or
-- for a time: `kept`, and addresses with a label of one of `categories`. tokens, kept: as hex. supply: what all hold.
-- One row more says how far the sums reach (above): store/balances.ts.
SELECT lower(hex(r.token_bytes)) AS token, lower(hex(r.holder_bytes)) AS holder, r.amount AS amount,
  r.amount_high AS amount_high, r.supply AS supply, r.supply_high AS supply_high, r.above AS above
FROM (
  SELECT h.token_bytes AS token_bytes, h.holder_bytes AS holder_bytes, h.amount AS amount, h.amount_high AS amount_high,
    h.top AS top, h.above AS above, sum(h.amount) OVER (PARTITION BY h.token_bytes) AS supply,
    sum(h.amount_high) OVER (PARTITION BY h.token_bytes) AS supply_high,
    row_number() OVER (PARTITION BY h.token_bytes ORDER BY h.top DESC, toUInt256(h.amount) DESC, h.holder_bytes) AS place
  FROM (
    SELECT token_bytes, holder_bytes, sum(delta) AS amount, sum(high) AS amount_high, max(reach) AS above,
      amount_high + bitShiftRight(amount - bitShiftLeft(amount_high, 128), 128) AS top
    FROM (
      @holder_changes_of_tokens
    )
    GROUP BY token_bytes, holder_bytes
    HAVING top > 0 OR (top = 0 AND amount != 0) OR above > 0
  ) AS h
) AS r
WHERE r.place <= {limit:UInt32} OR r.above > 0
  OR r.holder_bytes IN (SELECT unhex(arrayJoin({kept:Array(String)})) AS wanted)
  OR r.holder_bytes IN (
    SELECT k.address FROM labels AS k FINAL
    WHERE k.network = {network:String} AND has({categories:Array(String)}, k.category)
      AND k.valid_from <= toDateTime({block_time:UInt32}, 'UTC'))
ORDER BY token, r.top DESC, toUInt256(r.amount) DESC, holder
