-- Position events of these accounts and NFTs (contract and decimal id in bytes), oldest first. As hex: subjects, contract,
-- pool, asset.
SELECT p.block_number AS block_number, p.tx_index AS tx_index, p.log_index AS log_index, toUnixTimestamp(p.time) AS time,
  toString(p.kind) AS kind, lower(hex(p.subject)) AS subject, lower(hex(p.contract)) AS contract, lower(hex(p.pool)) AS pool,
  lower(hex(p.asset)) AS asset, p.amount0 AS amount0, p.amount1 AS amount1, p.liquidity AS liquidity
FROM position_events AS p
WHERE p.network = {network:String} AND p.subject IN (SELECT unhex(arrayJoin({subjects:Array(String)})))
ORDER BY block_number, log_index, subject
