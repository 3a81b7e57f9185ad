-- The highest block that the sums of a network's balances say they reach, in both tables; 0 = they say nothing.
SELECT
  (SELECT max(last_block) FROM balances WHERE network = {network:String} AND token = '' AND holder = '') AS balances,
  (SELECT max(last_block) FROM balances_by_holder WHERE network = {network:String} AND holder = '' AND token = '') AS balances_by_holder
ORDER BY balances
