-- Tokens whose symbol is this word, in any case.
SELECT lower(hex(token)) AS token, standard, name, symbol, decimals, total_supply, read_at_block, has_hidden
FROM tokens FINAL
WHERE network = {network:String} AND symbol_key = lowerUTF8({symbol:String})
ORDER BY token
LIMIT {limit:UInt32}
