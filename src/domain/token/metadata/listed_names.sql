-- Symbols and names of the tokens that imported lists name on a network.
SELECT lower(hex(l.token)) AS token, l.symbol AS symbol, l.name AS name
FROM listed_tokens AS l FINAL
WHERE l.network = {network:String} AND l.is_removed = 0
ORDER BY token, l.list
