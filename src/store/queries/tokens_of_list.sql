-- Tokens of one imported token list, removed ones too.
SELECT network, lower(hex(token)) AS token, symbol, name, decimals, logo_uri, is_removed
FROM listed_tokens FINAL
WHERE list = {list:String}
ORDER BY network, token
