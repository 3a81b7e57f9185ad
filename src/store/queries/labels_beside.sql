-- Labels that other sources than this list give these addresses. addresses: as hex.
SELECT network, lower(hex(address)) AS address, source, label, category, entity
FROM labels FINAL
WHERE network IN {networks:Array(String)} AND address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
  AND category != '' AND source != {list:String}
ORDER BY network, address, source, label
