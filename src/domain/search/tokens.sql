-- Tokens of a network whose symbol or name resembles a text in lower case: equal, beginning with it, containing it, or with few
-- other letters (typos: how many).
SELECT lower(hex(token)) AS token, symbol, name
FROM tokens FINAL
WHERE network = {network:String}
  AND (position(symbol_key, {text:String}) > 0 OR position(lowerUTF8(ifNull(name, '')), {text:String}) > 0
    OR ({typos:UInt8} > 0 AND symbol_key != '' AND damerauLevenshteinDistance(symbol_key, {text:String}) <= {typos:UInt8}))
ORDER BY
  symbol_key = {text:String} DESC, startsWith(symbol_key, {text:String}) DESC,
  startsWith(lowerUTF8(ifNull(name, '')), {text:String}) DESC, length(symbol_key), token
LIMIT {most:UInt32}
