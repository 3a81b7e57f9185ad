-- Entries of sanctions lists about these addresses of one family, delisted ones too. addresses: as hex.
SELECT lower(hex(address)) AS address, list, asset_code, entity, program, listed_on, delisted_on, version
FROM sanctions FINAL
WHERE family = {family:String} AND is_removed = 0
  AND address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
ORDER BY address, list, asset_code
