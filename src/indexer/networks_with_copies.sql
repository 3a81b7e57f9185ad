-- Networks with copies of labels that lists state for every EVM network.
SELECT DISTINCT k.network AS network
FROM labels AS k
WHERE k.network != 'evm' AND (k.source, k.address, k.label) IN (
  SELECT e.source, e.address, e.label FROM labels AS e WHERE e.network = 'evm')
ORDER BY network
