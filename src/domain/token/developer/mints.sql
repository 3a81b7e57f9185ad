-- Mints to wallets, oldest first, with the supply by transfers before each. tokens, wallets: as hex.
SELECT
  lower(hex(m.token)) AS token,
  m.block_number AS block_number,
  m.position AS position,
  m.tx_index AS tx_index,
  toUnixTimestamp(m.time) AS time,
  lower(hex(m.destination)) AS wallet,
  m.amount AS amount
FROM transfers AS m
WHERE m.network = {network:String}
  AND (m.block_number, m.tx_index, m.position) IN (
    SELECT t.block_number, t.tx_index, t.position
    FROM token_ledger AS t
    PREWHERE t.network = {network:String} AND t.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
    WHERE t.source = ''
      AND t.destination IN (SELECT unhex(arrayJoin({wallets:Array(String)})) AS wanted)
      AND t.amount > 0
    ORDER BY t.block_number, t.tx_index, t.position
    LIMIT {limit:UInt32}
  )
ORDER BY block_number, tx_index, position
