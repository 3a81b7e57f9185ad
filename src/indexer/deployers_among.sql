-- Which of these accounts deployed contracts in final blocks. addresses: hex.
SELECT DISTINCT lower(hex(d.creator)) AS address
FROM deployments AS d
WHERE d.tail = 0 AND d.network = {network:String} AND d.creator IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
ORDER BY address
