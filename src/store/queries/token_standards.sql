-- Standards of the tokens of a network whose metadata was read, at most `limit`.
SELECT lower(hex(token)) AS token, standard
FROM tokens FINAL
WHERE network = {network:String} AND has_hidden IS NOT NULL
ORDER BY token
LIMIT {limit:UInt32}
