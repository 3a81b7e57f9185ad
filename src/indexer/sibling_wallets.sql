-- Wallets of exchanges that a rule of the index has found, and the first second of the day of the finding. delay: as of derived labels.
SELECT lower(hex(k.address)) AS address, k.label AS label, k.entity AS entity,
  toUInt32(toUnixTimestamp(k.valid_from) - {delay:UInt32}) AS day
FROM labels AS k FINAL
WHERE k.network = {network:String} AND k.source = 'siblings' AND k.category != ''
ORDER BY address, label
