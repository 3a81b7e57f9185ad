-- Which of some tokens of a wallet arrived by a mass transfer and were never moved by the wallet itself. tokens,
-- wallet: hex.
SELECT lower(hex(l.token)) AS token
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  AND l.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
GROUP BY l.token
HAVING max(l.signer = 'own') = 0
  AND max(l.direction = 1 AND (l.token, l.block_number, l.tx_index) IN (
    SELECT m.token, m.block_number, m.tx_index
    FROM mass_transfers AS m
    PREWHERE m.network = {network:String} AND m.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted))) = 1
ORDER BY token
