-- Labels of these addresses, the surest first, then the newest. addresses: as hex. valid_from: from which time on.
-- licence, published_on: of the label itself, '' where its list says so for all.
SELECT
  lower(hex(address)) AS address,
  source,
  label,
  category,
  entity,
  confidence,
  evidence,
  licence,
  published_on,
  toUnixTimestamp64Milli(written_at) AS written_at_ms,
  valid_from
FROM labels FINAL
WHERE network = {network:String} AND address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
  AND category != '' AND valid_from <= toDateTime({block_time:UInt32}, 'UTC')
ORDER BY address, confidence DESC, written_at DESC, source, label
