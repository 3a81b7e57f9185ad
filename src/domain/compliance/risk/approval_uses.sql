-- Per token and spender, the newest transaction in which the token left a wallet and which the spender sent (is_sender), or whose called
-- contract it is: among the newest `rows_max` movements of these tokens out of the wallet. wallet, tokens, spenders: hex.
SELECT lower(hex(u.token)) AS token, lower(hex(u.spender)) AS spender, u.latest.1 AS block_number,
  lower(hex(u.latest.2)) AS tx_hash, toUnixTimestamp(u.latest.3) AS time, u.latest.4 AS is_sender
FROM (
  SELECT m.token AS token, s.party.1 AS spender,
    argMax((s.block_number, s.hash, s.time, s.party.2), (s.block_number, s.tx_index, s.party.2)) AS latest
  FROM (
    SELECT t.block_number AS block_number, t.tx_index AS tx_index, t.hash AS hash, t.time AS time,
      arrayJoin([(t.sender, toUInt8(1)), (t.recipient, toUInt8(0))]) AS party
    FROM transactions AS t
    WHERE t.network = {network:String}
      AND (t.block_number, t.tx_index) IN (
        SELECT l.block_number, l.tx_index
        FROM ledger AS l
        PREWHERE l.network = {network:String} AND l.address = unhex({wallet:String})
        WHERE l.direction = -1 AND l.kind NOT IN ('fee', 'tip', 'rent')
          AND l.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})))
        ORDER BY l.block_number DESC, l.tx_index DESC
        LIMIT {rows_max:UInt32})
  ) AS s
  INNER JOIN (
    SELECT DISTINCT o.block_number AS block_number, o.tx_index AS tx_index, o.token AS token
    FROM ledger AS o
    PREWHERE o.network = {network:String} AND o.address = unhex({wallet:String})
    WHERE o.direction = -1 AND o.kind NOT IN ('fee', 'tip', 'rent')
      AND o.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})))
    ORDER BY block_number DESC, tx_index DESC
    LIMIT {rows_max:UInt32}
  ) AS m ON m.block_number = s.block_number AND m.tx_index = s.tx_index
  WHERE s.party.1 IN (SELECT unhex(arrayJoin({spenders:Array(String)})))
  GROUP BY m.token, s.party.1
) AS u
ORDER BY token, spender
