-- Of some tokens of a wallet, those it never moved itself, with the most receivers of one transaction that brought them.
SELECT lower(hex(reach.token)) AS token, max(reach.receivers) AS receivers
FROM (
  SELECT t.token AS token, uniqExact(t.destination) AS receivers
  FROM token_ledger AS t
  WHERE t.network = {network:String}
    AND t.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
    AND (t._table = 'token_ledger_final') = (t.block_number <= {final_block:UInt64})
    AND (t.token, t.block_number, t.tx_index) IN (
      SELECT l.token, l.block_number, l.tx_index
      FROM ledger AS l
      WHERE l.network = {network:String} AND l.address = unhex({wallet:String}) AND l.direction = 1
        AND l.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
        AND (l._table = 'ledger_final') = (l.block_number <= {final_block:UInt64})
        AND l.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted))
  GROUP BY t.token, t.block_number, t.tx_index
) AS reach
WHERE reach.token NOT IN (
  SELECT l.token
  FROM ledger AS l
  WHERE l.network = {network:String} AND l.address = unhex({wallet:String}) AND l.sender = l.address
    AND l.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
    AND (l._table = 'ledger_final') = (l.block_number <= {final_block:UInt64})
    AND l.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted))
GROUP BY reach.token
ORDER BY token
