-- Labels of one imported list; taken-back ones have the category ''.
SELECT network, lower(hex(address)) AS address, label, category, entity, confidence, evidence, licence, published_on
FROM labels FINAL
WHERE source = {list:String}
ORDER BY network, address, label
