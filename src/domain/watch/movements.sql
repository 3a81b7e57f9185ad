-- Movements of the snapshot's range that involve one of these addresses or tokens (all: every movement), without fees,
-- tips and rent. addresses, tokens: hex.
SELECT block_number, tx_index, position, toString(kind) AS kind, lower(hex(token)) AS token, token_id,
  lower(hex(source)) AS source, lower(hex(destination)) AS destination, amount
FROM transfers
WHERE network = {network:String} AND kind NOT IN ('fee', 'tip', 'rent')
  AND ({all:UInt8} = 1 OR source IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
    OR destination IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
    OR token IN (SELECT unhex(arrayJoin({tokens:Array(String)}))))
ORDER BY block_number, tx_index, position
