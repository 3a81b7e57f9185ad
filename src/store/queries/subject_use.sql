-- Addresses that an account wishes to follow, without those that are too large to be read, and what it used since a time (unix
-- seconds): requests to nodes for its wishes, which are histories and prices, and blocks for single transactions.
SELECT countIf(s.state != 'too_large') AS subjects,
  toUInt64(sumIf(s.requests, w.written_at >= toDateTime({asked_since:UInt32}, 'UTC'))) + ifNull((
    SELECT sum(p.requests) FROM demanded_prices AS p FINAL
    WHERE p.asked_by = {account:String} AND p.written_at >= toDateTime({asked_since:UInt32}, 'UTC')
  ), toUInt64(0)) AS requests,
  (SELECT count() FROM wished_blocks FINAL
   WHERE asked_by = {account:String} AND written_at >= toDateTime({asked_since:UInt32}, 'UTC')) AS blocks
FROM (SELECT * FROM subject_wishes FINAL WHERE asked_by = {account:String} AND wish = 'track') AS w
LEFT JOIN (SELECT network, subject, state, requests FROM subjects FINAL) AS s ON s.network = w.network AND s.subject = w.subject
ORDER BY subjects
