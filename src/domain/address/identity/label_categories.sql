-- Categories of labels that are known on a network, and how many addresses carry each.
SELECT k.category AS category, uniqExact(k.address) AS addresses, max(k.valid_from) AS valid_from
FROM labels AS k FINAL
WHERE k.network = {network:String} AND k.category != ''
  AND k.valid_from <= toDateTime({block_time:UInt32}, 'UTC')
GROUP BY k.category
ORDER BY category
