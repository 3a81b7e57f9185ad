-- Metadata of these tokens, as far as it was read. tokens: as hex.
SELECT lower(hex(token)) AS token, standard, name, symbol, decimals, total_supply, read_at_block, has_hidden
FROM tokens FINAL
WHERE network = {network:String} AND token IN (SELECT unhex(arrayJoin({tokens:Array(String)})))
ORDER BY token
