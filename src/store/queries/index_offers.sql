-- What was offered of a network's history to several processes, and in which epoch last. ranges: how the names of its ranges begin.
SELECT toString(network) AS name, max(epoch) AS newest
FROM index_epochs
WHERE startsWith(network, {ranges:String})
GROUP BY network
ORDER BY name
