-- Addresses that an account wishes to follow, and the requests to nodes since a time (unix seconds) for its wishes: their histories, and prices.
SELECT count() AS subjects,
  toUInt64(sumIf(s.requests, w.written_at >= toDateTime({asked_since:UInt32}, 'UTC'))) + ifNull((
    SELECT sum(p.requests) FROM demanded_prices AS p FINAL
    WHERE p.asked_by = {account:String} AND p.written_at >= toDateTime({asked_since:UInt32}, 'UTC')
  ), toUInt64(0)) AS requests
FROM (SELECT * FROM subject_wishes FINAL WHERE asked_by = {account:String} AND wish = 'track') AS w
LEFT JOIN (SELECT network, subject, requests FROM subjects FINAL) AS s ON s.network = w.network AND s.subject = w.subject
ORDER BY subjects
