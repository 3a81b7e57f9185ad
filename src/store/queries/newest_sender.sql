-- Sender of the newest transaction; no row without one.
SELECT lower(hex(t.sender)) AS sender
FROM transactions AS t
WHERE t.network = {network:String} AND t.sender != ''
ORDER BY t.block_number DESC, t.tx_index DESC
LIMIT 1
