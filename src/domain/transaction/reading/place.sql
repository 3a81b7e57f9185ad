-- Position of a transaction, found by its hash among those with the same prefix. hash: hex.
SELECT t.block_number AS block_number, t.tx_index AS tx_index
FROM transactions AS t
WHERE t.network = {network:String}
  AND (t.block_number, t.tx_index) IN (
    SELECT p.block_number, p.tx_index
    FROM transaction_places AS p
    PREWHERE p.network = {network:String} AND p.hash_prefix = substring(unhex({hash:String}), 1, 8))
  AND t.hash = unhex({hash:String})
ORDER BY block_number, tx_index
