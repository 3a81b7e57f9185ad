-- Amounts that accounts sent in final blocks before a time, oldest first, with the time of the token's last inflow (0 = never).
-- addresses: hex. until: unix seconds, outside. Fees are no outflow. is_own: the account signed the transaction.
SELECT
  lower(hex(m.address)) AS address, lower(hex(m.peer)) AS peer, lower(hex(m.token)) AS token, m.amount AS amount,
  toUnixTimestamp(m.time) AS time, m.block_number AS block_number,
  m.tx_index AS tx_index, m.last_in AS last_in, m.is_own AS is_own
FROM (
  SELECT
    l.address AS address, l.peer AS peer, l.token AS token, l.amount AS amount, l.time AS time,
    l.direction AS direction, l.signer = 'own' AS is_own, l.block_number AS block_number, l.tx_index AS tx_index, l.position AS position,
    max(if(l.direction = 1, toUnixTimestamp(l.time), 0)) OVER (
      PARTITION BY l.address, l.token ORDER BY l.block_number, l.tx_index, l.position
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS last_in
  FROM ledger AS l
  WHERE l.tail = 0 AND l.network = {network:String} AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
    AND l.time < toDateTime({until:UInt32}, 'UTC')
    AND l.amount > 0 AND l.kind NOT IN ('fee', 'tip', 'rent', 'erc721', 'erc1155')
) AS m
WHERE m.direction = -1
ORDER BY m.address, m.block_number, m.tx_index, m.position
LIMIT {limit:UInt32} BY m.address
