-- Transactions that one wallet signed in a window: failed ones, and called contracts. wallet: hex. since, until: unix
-- seconds, until exclusive. next_nonce: one more than the highest seen. vote_program: hex, counted apart from other
-- calls; empty on a network without one.
SELECT countIf(t.succeeded = 0) AS failed, uniqExactIf(t.recipient, t.selector != '' AND t.recipient NOT IN ('', unhex({vote_program:String}))) AS contracts_called,
  countIf(t.recipient = unhex({vote_program:String}) AND t.selector != '') AS vote_calls,
  max(t.nonce) + 1 AS next_nonce, count() AS transactions
FROM transactions AS t
WHERE t.network = {network:String}
  AND t.sender = unhex({wallet:String})
  AND (t.block_number, t.tx_index) IN (
    SELECT l.block_number, l.tx_index
    FROM ledger AS l
    PREWHERE l.network = {network:String} AND l.address = unhex({wallet:String})
    WHERE l.signer = 'own'
      AND l.time >= toDateTime({since:UInt32}, 'UTC') AND l.time < toDateTime({until:UInt32}, 'UTC'))
