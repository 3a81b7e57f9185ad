-- Fees that one wallet paid in a window, in the native coin and at the hour's price.
-- Prices as in `flows/wallet_flows`. unpriced: fee rows of hours without a price.
SELECT sum(g.amount) AS raw, sum(bitShiftRight(g.amount, 128)) AS raw_high,
  toFloat64(sum(g.nano)) / 1e9 AS usd, countIf(NOT g.is_priced) AS unpriced, count() AS fees
FROM (
    SELECT l.amount AS amount, p.token != '' AS is_priced,
      if(is_priced, toInt256(round(least(toFloat64(l.amount) * p.unit_usd, 1e30) * 1e9)), toInt256(0)) AS nano
    FROM ledger AS l
    LEFT JOIN (
      SELECT q.token AS token, toUnixTimestamp(q.hour) AS hour, q.price_usd / exp10(d.decimals) AS unit_usd,
        q.confidence != 'low' AS is_traded
      FROM prices AS q FINAL
      INNER JOIN (
        SELECT c.token AS token, assumeNotNull(c.decimals) AS decimals
        FROM tokens AS c FINAL
        WHERE c.network = {network:String} AND c.decimals IS NOT NULL AND c.token = unhex({wrapped:String})
      ) AS d ON d.token = q.token
      WHERE q.network = {network:String} AND q.token = unhex({wrapped:String})
        AND q.hour >= toStartOfHour(toDateTime({since:UInt32}, 'UTC')) AND q.hour < toDateTime({until:UInt32}, 'UTC')
        AND q.hour < toDateTime({stored_until:UInt32}, 'UTC')
      UNION ALL
      SELECT unhex(late.1) AS token, late.2 AS hour, late.3 AS unit_usd, late.4 AS is_traded
      FROM (
        SELECT arrayJoin(arrayZip({late_tokens:Array(String)}, {late_hours:Array(UInt32)}, {late_units:Array(Float64)},
          {late_is_traded:Array(UInt8)})) AS late)
    ) AS p ON p.token = if(l.token = '', unhex({wrapped:String}), l.token)
      AND p.hour = toUnixTimestamp(toStartOfHour(l.time))
    WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
      AND l.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
      AND (l._table = 'ledger_final') = (l.block_number <= {final_block:UInt64})
      AND l.time >= toDateTime({since:UInt32}, 'UTC') AND l.time < toDateTime({until:UInt32}, 'UTC')
      AND l.kind IN ('fee', 'tip') AND l.direction = -1
) AS g
