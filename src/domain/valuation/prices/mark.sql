-- A mark of the stored prices up to `known_to`, which changes with every hour that is added or rewritten, and one of
-- all hours. The hours are those of a dollar coin, which every hour has, with the pass that wrote them. anchor: its
-- address as hex. known_to: unix seconds.
SELECT
  concat(toString(countIf(h.hour <= h.known)), ':', hex(groupBitXorIf(h.written, h.hour <= h.known))) AS known_mark,
  concat(toString(count()), ':', hex(groupBitXor(h.written))) AS mark
FROM (
  SELECT p.hour AS hour, cityHash64(p.hour, max(p.version)) AS written, toDateTime({known_to:UInt32}, 'UTC') AS known
  FROM prices AS p
  WHERE p.network = {network:String} AND p.token = unhex({anchor:String})
  GROUP BY p.hour
) AS h
ORDER BY known_mark, mark
