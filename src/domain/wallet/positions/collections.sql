-- Collections whose NFTs are positions: those that said of an NFT the wallet ever got what lies behind it. contracts: as hex.
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
