-- Who sent the newest transaction; no row where there is none.
SELECT lower(hex(t.sender)) AS sender
FROM transactions AS t
WHERE t.network = {network:String} AND t.sender != ''
ORDER BY t.block_number DESC, t.tx_index DESC
LIMIT 1
