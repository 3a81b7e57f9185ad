-- Plain accounts that paid these hot wallets in final blocks of a time. wallets: hex. since, last: unix seconds, inside.
SELECT DISTINCT lower(hex(l.peer)) AS sender
@paid_by_accounts
ORDER BY sender
LIMIT {limit:UInt32}
