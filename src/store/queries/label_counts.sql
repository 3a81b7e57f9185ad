-- Addresses of each category that lists name on these networks, without what the index derived. derived: its sources.
SELECT k.category AS category, uniqExact(k.address) AS addresses
FROM labels AS k FINAL
WHERE k.network IN {networks:Array(String)} AND k.category != '' AND k.source NOT IN {derived:Array(String)}
GROUP BY k.category
ORDER BY category
