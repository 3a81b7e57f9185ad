-- The most receivers that one transaction ever sent a token to; 0 for one that never moved. token: as hex.
SELECT max(sent.receivers) AS receivers_max
FROM (
  SELECT t.block_number, t.tx_index, uniqExact(t.destination) AS receivers
  FROM token_ledger AS t
  WHERE t.network = {network:String} AND t.token = unhex({token:String})
  GROUP BY t.block_number, t.tx_index
) AS sent
ORDER BY receivers_max
