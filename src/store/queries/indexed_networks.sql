-- Networks of which something was indexed.
SELECT DISTINCT network
FROM networks
ORDER BY network
