-- The most receivers of a token in one transaction; 0 where none moved it more than more_than times. token: as hex.
-- Movements of one transaction are stored together: the query counts them in stored order.
SELECT max(sent.receivers) AS receivers_max
FROM (
  SELECT uniqExact(t.destination) AS receivers
  FROM token_ledger AS t
  WHERE t.network = {network:String} AND t.token = unhex({token:String})
    AND (t.block_number, t.tx_index) IN (
      SELECT o.block_number, o.tx_index
      FROM token_ledger AS o
      PREWHERE o.network = {network:String} AND o.token = unhex({token:String})
      GROUP BY o.block_number, o.tx_index
      HAVING count() > {more_than:UInt32})
  GROUP BY t.block_number, t.tx_index
) AS sent
ORDER BY receivers_max
SETTINGS optimize_aggregation_in_order = 1
