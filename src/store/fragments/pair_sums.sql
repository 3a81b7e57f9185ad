-- As wallet_sums.sql, of pairs (tokens[i], holders[i]). As hex.
SELECT lower(hex(b.token)) AS token, lower(hex(b.holder)) AS holder, b.amount AS amount, b.high AS amount_high,
  if(b.holder = '' AND b.token = '', b.last_block + 1, 0) AS above
FROM balances_by_holder AS b
WHERE b.network = {network:String} AND {with_sums:UInt8}
  AND (b.holder, b.token) IN (
    SELECT unhex(pair.1), unhex(pair.2)
    FROM (SELECT arrayJoin(arrayPushBack(arrayZip({holders:Array(String)}, {tokens:Array(String)}), ('', ''))) AS pair))
