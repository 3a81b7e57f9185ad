-- Ranges of a network's history offered to several processes, with their last epoch. ranges: prefix of the range names.
SELECT toString(network) AS name, max(epoch) AS newest
FROM index_epochs
WHERE startsWith(network, {ranges:String})
GROUP BY network
ORDER BY name
