-- Wallets of exchanges on a network by lists, each with its surest label and entity. is_hot: a label says that it is a hot wallet.
-- rules: sources that are rules of the index, which follow from these.
SELECT lower(hex(k.address)) AS address, argMax(k.label, (k.confidence, k.label)) AS label,
  argMax(k.entity, (k.confidence, k.label)) AS entity, max(match(k.label, '(?i)\\bhot\\b')) AS is_hot
FROM labels AS k FINAL
WHERE k.network = {network:String} AND k.category = 'exchange' AND k.source NOT IN {rules:Array(String)}
GROUP BY k.address
ORDER BY address
