-- Labels that a rule of the index has given on a network.
SELECT lower(hex(address)) AS address, label, entity, confidence, toUnixTimestamp(valid_from) AS valid_from
FROM labels FINAL
WHERE network = {network:String} AND source = {source:String} AND category != ''
ORDER BY address, label
