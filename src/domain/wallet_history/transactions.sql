-- Transactions of one wallet in a window, newest first: what each was for it, judged by what it gained and lost alone.
-- Tokens and prices as in `flows/wallet_flows`. type: only this one, '' = all. is_own: the wallet signed it.
-- gained, lost: buckets by net amount, native and wrapped coin are one, ''; raw amounts beside them, and what of each lies
-- above 128 bits (lib/wide.ts). payees, payers:
-- distinct other sides. in_usd, out_usd: of what was gained and lost, without what has no price (unpriced_*).
SELECT d.block_number AS block_number, d.tx_index AS tx_index, d.hash AS tx_hash, d.at AS time, d.is_signed AS is_own,
  d.type AS type, arrayMap(one -> lower(hex(one.1)), d.got) AS gained, arrayMap(one -> one.2, d.got) AS gained_raw,
  arrayMap(one -> one.3, d.got) AS gained_raw_high,
  arrayMap(one -> lower(hex(one.1)), d.gave) AS lost, arrayMap(one -> -one.2, d.gave) AS lost_raw,
  arrayMap(one -> -one.3, d.gave) AS lost_raw_high,
  d.payees AS payees, d.payers AS payers, d.payee AS payee, d.payer AS payer,
  toFloat64(d.nano_in) / 1e9 AS in_usd, toFloat64(d.nano_out) / 1e9 AS out_usd,
  d.unpriced_in AS unpriced_in, d.unpriced_out AS unpriced_out
FROM (
  SELECT
    y.block_number AS block_number, y.tx_index AS tx_index, lower(hex(any(y.tx_hash))) AS hash,
    toUnixTimestamp(min(y.time)) AS at, max(y.is_own) AS is_signed,
    arraySort(groupArrayIf((y.bucket, y.net, y.net_high), y.gain > 0)) AS got,
    arraySort(groupArrayIf((y.bucket, y.net, y.net_high), y.gain < 0)) AS gave,
    uniqExactArray(y.paid) AS payees, uniqExactArray(y.paying) AS payers,
    lower(hex(minIf(arrayMin(y.paid), notEmpty(y.paid)))) AS payee,
    lower(hex(minIf(arrayMin(y.paying), notEmpty(y.paying)))) AS payer,
    sumIf(y.nano, y.gain > 0) AS nano_in, sumIf(-y.nano, y.gain < 0) AS nano_out,
    countIf(y.gain > 0 AND y.is_priceless) AS unpriced_in, countIf(y.gain < 0 AND y.is_priceless) AS unpriced_out,
    multiIf(
      sum(y.movements) = 0, if(max(y.is_self) = 1, 'self', 'call'),
      notEmpty(got) AND notEmpty(gave), multiIf(
        max(y.is_collectible) = 1, 'nft_trade',
        length(gave) > 1 AND length(got) = 1, 'add_liquidity',
        length(got) > 1 AND length(gave) = 1, 'remove_liquidity',
        countIf(y.gain > 0 AND NOT y.is_minted) = 0, 'deposit',
        countIf(y.gain < 0 AND NOT y.is_burned) = 0, 'withdraw',
        'swap'),
      max(y.is_wrap) = 1 AND empty(got) AND empty(gave), 'wrap',
      notEmpty(got) AND countIf(y.gain > 0 AND NOT y.is_minted) = 0, 'mint',
      notEmpty(gave) AND countIf(y.gain < 0 AND NOT y.is_burned) = 0, 'burn',
      notEmpty(got), 'receive',
      notEmpty(gave), 'send',
      'other') AS type
  FROM (
    SELECT
      x.block_number AS block_number, x.tx_index AS tx_index, x.bucket AS bucket, any(x.tx_hash) AS tx_hash,
      min(x.time) AS time, max(x.is_own) AS is_own, max(x.is_self) AS is_self, countIf(x.is_movement) AS movements,
      sumIf(x.change, x.is_movement) AS net, sumIf(x.high, x.is_movement) AS net_high,
      net_high + bitShiftRight(net - bitShiftLeft(net_high, 128), 128) AS top, if(top = 0, toInt8(net != 0), sign(top)) AS gain,
      sumIf(x.nano, x.is_movement) AS nano,
      max(x.is_movement AND NOT x.is_priced) AS is_priceless,
      max(x.is_movement AND x.is_void AND x.direction > 0) AS is_minted,
      max(x.is_movement AND x.is_void AND x.direction < 0) AS is_burned,
      max(x.is_movement AND x.is_collectible) AS is_collectible, max(x.is_movement AND x.is_wrap) AS is_wrap,
      groupUniqArrayIf(x.peer, x.is_movement AND NOT x.is_void AND x.direction < 0) AS paid,
      groupUniqArrayIf(x.peer, x.is_movement AND NOT x.is_void AND x.direction > 0) AS paying
    FROM (
      SELECT
        l.block_number AS block_number, l.tx_index AS tx_index, l.tx_hash AS tx_hash, l.time AS time, l.peer AS peer,
        l.sender = l.address AS is_own,
        l.kind NOT IN ('fee', 'tip', 'rent') AND l.peer = l.address AS is_self,
        l.kind NOT IN ('fee', 'tip', 'rent') AND l.peer != l.address AND l.amount > 0 AS is_movement,
        l.kind IN ('erc721', 'erc1155') AS is_collectible,
        {wrapped:String} != '' AND l.token = unhex({wrapped:String}) AS is_wrap,
        if(is_wrap, '', l.token) AS bucket,
        l.peer = '' AND NOT is_wrap AS is_void,
        l.direction AS direction, toInt256(l.amount) * l.direction AS change,
        toInt256(bitShiftRight(l.amount, 128)) * l.direction AS high,
        p.token != '' AND NOT is_collectible AS is_priced,
        if(is_priced, toInt256(round(least(toFloat64(l.amount) * p.unit_usd, 1e30) * 1e9)), toInt256(0)) * l.direction AS nano
      FROM ledger AS l
      LEFT JOIN (
        SELECT q.token AS token, toUnixTimestamp(q.hour) AS hour, q.price_usd / exp10(d.decimals) AS unit_usd,
          q.confidence != 'low' AS is_traded
        FROM prices AS q FINAL
        INNER JOIN (
          SELECT c.token AS token, assumeNotNull(c.decimals) AS decimals
          FROM tokens AS c FINAL
          WHERE c.network = {network:String} AND c.decimals IS NOT NULL AND c.token IN (
            SELECT if(o.token = '', unhex({wrapped:String}), o.token) AS moved
            FROM ledger AS o
            PREWHERE o.network = {network:String} AND o.address = unhex({wallet:String})
            WHERE o.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
              AND (o._table = 'ledger_final') = (o.block_number <= {final_block:UInt64})
              AND o.time >= toDateTime({since:UInt32}, 'UTC') AND o.time < toDateTime({until:UInt32}, 'UTC'))
        ) AS d ON d.token = q.token
        WHERE q.network = {network:String} AND (q.token, q.hour) IN (
            SELECT DISTINCT if(o.token = '', unhex({wrapped:String}), o.token) AS moved, toStartOfHour(o.time) AS hour
            FROM ledger AS o
            PREWHERE o.network = {network:String} AND o.address = unhex({wallet:String})
            WHERE o.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
              AND (o._table = 'ledger_final') = (o.block_number <= {final_block:UInt64})
              AND o.time >= toDateTime({since:UInt32}, 'UTC') AND o.time < toDateTime({until:UInt32}, 'UTC'))
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
        AND NOT (l.kind IN ('fee', 'tip') AND l.direction = 1)
        AND l.tx_index != 4294967295
    ) AS x
    GROUP BY x.block_number, x.tx_index, x.bucket
  ) AS y
  GROUP BY y.block_number, y.tx_index
) AS d
WHERE {type:String} = '' OR d.type = {type:String}
ORDER BY block_number DESC, tx_index DESC
LIMIT {limit:UInt32}
