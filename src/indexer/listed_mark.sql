-- A digest of all lists of a network, which changes when a list does. rules: sources that are rules of the index.
SELECT count() AS rows, hex(groupBitXor(cityHash64(k.address, k.source, k.label, k.category, k.entity))) AS mark
FROM labels AS k FINAL
WHERE k.network = {network:String} AND k.category != '' AND k.source NOT IN {rules:Array(String)}
