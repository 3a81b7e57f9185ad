-- Of which kind the first movement of a token is; no row where it never moved. token: as hex, never ''.
SELECT t.kind AS kind
FROM transfers AS t
WHERE t.network = {network:String}
  AND (t.block_number, t.tx_index, t.position) IN (
    SELECT o.block_number, o.tx_index, o.position
    FROM token_ledger AS o
    PREWHERE o.network = {network:String} AND o.token = unhex({token:String})
    ORDER BY o.block_number, o.tx_index, o.position
    LIMIT 1)
  AND t.token = unhex({token:String})
ORDER BY t.block_number, t.tx_index, t.position
LIMIT 1
