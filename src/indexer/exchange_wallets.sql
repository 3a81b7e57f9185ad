-- Wallets of exchanges on a network, each with its surest label and entity. is_hot: a label says that it is a hot wallet.
SELECT lower(hex(k.address)) AS address, argMax(k.label, (k.confidence, k.label)) AS label,
  argMax(k.entity, (k.confidence, k.label)) AS entity, max(match(k.label, '(?i)\\bhot\\b')) AS is_hot
FROM labels AS k FINAL
WHERE k.network = {network:String} AND k.category = 'exchange'
GROUP BY k.address
ORDER BY address
