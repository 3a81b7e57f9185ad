-- How many addresses each of some tokens reached in transactions at given places.
SELECT t.block_number AS block_number, t.tx_index AS tx_index, lower(hex(t.token)) AS token,
  uniqExact(t.destination) AS receivers
FROM token_ledger AS t
WHERE t.network = {network:String}
  AND t.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
  AND t.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (t._table = 'token_ledger_final') = (t.block_number <= {final_block:UInt64})
  AND t.block_number IN {blocks:Array(UInt64)}
  AND (t.block_number, t.tx_index) IN (
    SELECT arrayJoin(arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)})) AS place)
GROUP BY block_number, tx_index, t.token
ORDER BY block_number, tx_index, token
