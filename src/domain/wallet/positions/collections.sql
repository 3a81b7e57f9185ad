-- Collections whose NFTs are positions: they reported the liquidity of an NFT that the wallet received at some time.
-- contracts: hex.
SELECT DISTINCT lower(hex(p.contract)) AS contract
FROM position_events AS p
WHERE p.network = {network:String}
  AND p.kind = 'increase'
  AND p.contract IN (SELECT unhex(arrayJoin({contracts:Array(String)})))
  AND p.subject IN (
    SELECT concat(l.token, toString(l.token_id))
    FROM ledger AS l
    PREWHERE l.network = {network:String} AND l.address = unhex({wallet:String})
    WHERE l.kind = 'erc721'
      AND l.direction = 1)
ORDER BY contract
