-- Whether any opening balance of a network was read.
SELECT count() > 0 AS found
FROM (SELECT 1 FROM openings WHERE network = {network:String} LIMIT 1)
ORDER BY found
