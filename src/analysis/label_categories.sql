-- Categories of labels that are known on a network, and how many addresses carry each.
SELECT k.category AS category, uniqExact(k.address) AS addresses
FROM labels AS k
WHERE k.network = {network:String} AND k.category != ''
GROUP BY k.category
ORDER BY category
