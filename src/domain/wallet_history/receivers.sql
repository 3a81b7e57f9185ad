-- How many addresses each of some tokens reached in transactions at given places, where they are more than a hundred.
SELECT m.block_number AS block_number, m.tx_index AS tx_index, lower(hex(m.token)) AS token, max(m.receivers) AS receivers
FROM mass_transfers AS m
WHERE m.network = {network:String}
  AND m.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
  AND m.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (m._table = 'mass_transfers_final') = (m.block_number <= {final_block:UInt64})
  AND m.block_number IN {blocks:Array(UInt64)}
  AND (m.block_number, m.tx_index) IN (
    SELECT arrayJoin(arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)})) AS place)
GROUP BY block_number, tx_index, m.token
ORDER BY block_number, tx_index, token
