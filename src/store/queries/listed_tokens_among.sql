-- Imported token lists that hold these tokens. tokens: as hex.
SELECT lower(hex(l.token)) AS token, l.list AS list, l.logo_uri AS logo_uri
FROM listed_tokens AS l FINAL
WHERE l.network = {network:String}
  AND l.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
  AND l.is_removed = 0
ORDER BY token, list
