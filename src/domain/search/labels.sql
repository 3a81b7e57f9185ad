-- Addresses of a network with a label or an entity that contains a text in lower case, or is a few letters away from it (typos:
-- how many): the nearest label of each.
SELECT lower(hex(l.address)) AS address, l.label AS label, l.entity AS entity, l.category AS category, l.source AS source
FROM labels AS l FINAL
WHERE l.network = {network:String} AND l.category != '' AND l.valid_from <= toDateTime({block_time:UInt32}, 'UTC')
  AND (position(lowerUTF8(l.label), {text:String}) > 0 OR position(lowerUTF8(l.entity), {text:String}) > 0
    OR ({typos:UInt8} > 0 AND l.entity != ''
      AND damerauLevenshteinDistance(lowerUTF8(l.entity), {text:String}) <= {typos:UInt8}))
ORDER BY
  startsWith(lowerUTF8(l.entity), {text:String}) DESC, startsWith(lowerUTF8(l.label), {text:String}) DESC,
  l.confidence DESC, length(l.label), l.written_at DESC, l.address, l.source
LIMIT 1 BY l.address
LIMIT {most:UInt32}
