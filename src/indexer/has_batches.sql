-- Whether blocks of a network were written as batches.
SELECT count() > 0 AS found
FROM (SELECT 1 FROM batches WHERE network = {network:String} LIMIT 1)
ORDER BY found
