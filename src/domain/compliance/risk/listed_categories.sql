-- Categories of which a list names an address on these networks, without what the index derived. derived: its sources.
SELECT k.category AS category
FROM labels AS k FINAL
WHERE (k.network = {network:String} OR k.network = {family:String}) AND has({categories:Array(String)}, k.category)
  AND NOT has({derived:Array(String)}, k.source)
GROUP BY k.category
ORDER BY category
