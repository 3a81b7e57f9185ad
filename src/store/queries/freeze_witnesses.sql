-- Per coin one account that events say is frozen, always the same one at the same block. tokens: as hex.
SELECT lower(hex(s.token)) AS token, lower(hex(min(s.account))) AS account
FROM (
  SELECT e.token AS token, e.account AS account, argMax(e.effect, (e.block_number, e.tx_index, e.log_index)) AS last_effect
  FROM freeze_events AS e
  WHERE e.network = {network:String}
    AND e.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})))
    AND e.effect IN ('freeze', 'unfreeze')
  GROUP BY e.token, e.account
) AS s
WHERE s.last_effect = 'freeze'
GROUP BY s.token
ORDER BY token
