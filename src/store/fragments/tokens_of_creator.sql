-- Tokens among the contracts that one address deployed. creator: hex.
SELECT m.token
FROM tokens AS m FINAL
WHERE m.network = {network:String}
  AND m.standard != ''
  AND m.token IN (
    SELECT o.address
    FROM deployments AS o
    PREWHERE o.network = {network:String} AND o.creator = unhex({creator:String}))
