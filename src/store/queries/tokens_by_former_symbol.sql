-- Tokens that at some time reported this symbol, in any case.
SELECT lower(hex(token)) AS token, argMax(symbol, read_at_block) AS symbol, max(read_at_block) AS last_block
FROM token_readings
WHERE network = {network:String} AND symbol_key = lowerUTF8({symbol:String})
GROUP BY token_readings.token
ORDER BY token
LIMIT {limit:UInt32}
