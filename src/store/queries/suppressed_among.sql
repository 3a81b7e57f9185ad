-- Addresses of one family of which the operator shows no personal records. addresses: as hex.
SELECT lower(hex(address)) AS address
FROM suppressed FINAL
WHERE family = {family:String} AND is_removed = 0
  AND address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
ORDER BY address
