-- Readings of tokens whose metadata changed, oldest first; a token that never changed has none. tokens: as hex.
SELECT lower(hex(token)) AS token, read_at_block, name, symbol, decimals, has_hidden, cause
FROM token_readings FINAL
WHERE network = {network:String} AND token IN (SELECT unhex(arrayJoin({tokens:Array(String)})))
ORDER BY token, read_at_block
