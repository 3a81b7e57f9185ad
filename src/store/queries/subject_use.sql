-- Addresses that an account wishes to follow, and the requests to nodes for its wishes since a time (unix seconds).
SELECT count() AS subjects, toUInt64(sumIf(s.requests, w.written_at >= toDateTime({asked_since:UInt32}, 'UTC'))) AS requests
FROM (SELECT * FROM subject_wishes FINAL WHERE asked_by = {account:String} AND wish = 'track') AS w
LEFT JOIN (SELECT network, subject, requests FROM subjects FINAL) AS s ON s.network = w.network AND s.subject = w.subject
ORDER BY subjects
