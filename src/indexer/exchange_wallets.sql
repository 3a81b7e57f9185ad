-- Hot wallets of exchanges on a network, each with its surest label and entity.
SELECT lower(hex(k.address)) AS address, argMax(k.label, (k.confidence, k.label)) AS label,
  argMax(k.entity, (k.confidence, k.label)) AS entity
FROM labels AS k FINAL
WHERE k.network = {network:String} AND k.category = 'exchange'
GROUP BY k.address
ORDER BY address
