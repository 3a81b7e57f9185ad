-- Those of these tokens that were held before the first block, as hex.
SELECT DISTINCT lower(hex(o.token)) AS token
FROM openings_by_token AS o
WHERE o.network = {network:String} AND o.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})))
ORDER BY token
