-- One account per coin that is frozen by its events, the same one at the same block; '' without one. tokens: as hex.
-- last_block: of the newest event of the coin. A coin without events is absent.
SELECT lower(hex(s.token)) AS token, lower(hex(minIf(s.account, s.last_effect = 'freeze'))) AS account, max(s.last_block) AS last_block
FROM (
  SELECT e.token AS token, e.account AS account, max(e.block_number) AS last_block,
    argMax(e.effect, (e.block_number, e.tx_index, e.log_index)) AS last_effect
  FROM freeze_events AS e
  WHERE e.network = {network:String}
    AND e.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})))
    AND e.effect IN ('freeze', 'unfreeze')
  GROUP BY e.token, e.account
) AS s
GROUP BY s.token
ORDER BY token
