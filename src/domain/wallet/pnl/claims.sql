-- Transactions in which one wallet called a claim function, received something, and paid only coins, for the service.
-- selectors: first four bytes of the call as hex.
SELECT t.block_number AS block_number, t.tx_index AS tx_index
FROM transactions AS t
WHERE t.network = {network:String}
  AND has({selectors:Array(String)}, lower(hex(t.selector)))
  AND t.sender = unhex({wallet:String})
  AND (t.block_number, t.tx_index) IN (
    SELECT l.block_number, l.tx_index
    FROM ledger AS l
    PREWHERE l.network = {network:String} AND l.address = unhex({wallet:String})
    WHERE l.signer = 'own'
      AND l.kind NOT IN ('fee', 'tip', 'rent')
    GROUP BY l.block_number, l.tx_index
    HAVING max(l.direction) = 1 AND max(l.direction = -1 AND l.token != '') = 0)
ORDER BY block_number, tx_index
