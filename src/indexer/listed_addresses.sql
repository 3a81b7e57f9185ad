-- Addresses on one of these lists, with their networks. lists: names.
SELECT k.network AS network, lower(hex(k.address)) AS address
FROM labels AS k FINAL
WHERE k.source IN {lists:Array(String)} AND k.category != ''
GROUP BY k.network, k.address
ORDER BY network, address
