-- Which of (tokens[i], blocks[i], indexes[i]) are transactions that sent the token to more than a hundred addresses.
-- Others are absent. receivers: addresses that the token reached. tokens: hex.
WITH asked AS (
  SELECT unhex(sent.1) AS token, sent.2 AS block_number, sent.3 AS tx_index
  FROM (SELECT arrayJoin(arrayZip({tokens:Array(String)}, {blocks:Array(UInt64)}, {indexes:Array(UInt32)})) AS sent)
)
SELECT lower(hex(token)) AS token, block_number, tx_index, max(receivers) AS receivers
FROM mass_transfers
WHERE network = {network:String} AND (token, block_number, tx_index) IN (SELECT token, block_number, tx_index FROM asked)
GROUP BY token, block_number, tx_index
ORDER BY token, block_number, tx_index
