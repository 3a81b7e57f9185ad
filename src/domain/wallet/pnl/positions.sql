-- Protocol events about one wallet's positions, oldest first: about the wallet, and about the NFTs that it ever
-- received. until: unix seconds, exclusive. subject, contract, pool, asset: hex.
SELECT
  p.block_number AS block_number,
  p.tx_index AS tx_index,
  p.log_index AS log_index,
  toUnixTimestamp(p.time) AS time,
  toString(p.kind) AS kind,
  lower(hex(p.subject)) AS subject,
  lower(hex(p.contract)) AS contract,
  lower(hex(p.pool)) AS pool,
  lower(hex(p.asset)) AS asset,
  p.amount0 AS amount0,
  p.amount1 AS amount1,
  p.liquidity AS liquidity
FROM position_events AS p
WHERE p.network = {network:String}
  AND p.time < toDateTime({until:UInt32}, 'UTC')
  AND p.subject IN (
    SELECT unhex({wallet:String})
    UNION ALL
    SELECT concat(l.token, toString(l.token_id))
    FROM ledger AS l
    PREWHERE l.network = {network:String} AND l.address = unhex({wallet:String})
    WHERE l.kind = 'erc721'
      AND l.direction = 1)
ORDER BY block_number, log_index
