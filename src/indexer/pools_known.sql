-- Which of these pools have a row already, from their factory's event (final or not) or read from the contract.
-- pools: addresses as hex.
SELECT DISTINCT lower(hex(k.pool)) AS pool
FROM (
  SELECT p.pool AS pool
  FROM pools AS p
  WHERE p.tail >= 0 AND p.network = {network:String} AND p.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
  UNION ALL
  SELECT r.pool AS pool
  FROM pools_read AS r
  WHERE r.network = {network:String} AND r.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
) AS k
ORDER BY pool
