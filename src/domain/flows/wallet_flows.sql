-- What one wallet received and paid in a window, summed by counterparty and token as asked, valued at the hour's price.
-- wallet, wrapped, token, peers and the token lists: hex; wrapped is '' where the network has none. since, until: unix
-- seconds, since inside, until outside. by_peer, by_token, by_direction: 0 puts all of them into one group.
-- peers: these only, [] = all. categories: only counterparties that a label puts into one of them, [] = all.
-- largest_*: value and place of the transfer of the greatest known value, of questions that make one group; 0 in others.
-- direction: 1 in, -1 out, 0 both, in rows too. Fees, tips, what the wallet sent itself and what the void gave or took are left out,
-- but minting and burning the wrapped coin is dealing with its contract.
-- A transaction of the wallet in which it gave and got, sent to a labelled exchange contract, is dealt with that one:
-- the pools behind it are `via`.
-- Prices are stored up to `stored_until`; those of later hours come as parameters (late_*), in USD per base unit.
-- Sums of USD are made of whole nanodollars, so that their order does not matter.
-- spam_reasons: bits 1 zero value, 2 look-alike, 4 airdrop, 8 unrequested outflow, 16 copied symbol, 32 URL, 64 claim,
-- 128 words for machines, 256 hidden characters.
-- Groups that hold nothing but hidden spam are counted in hidden_spam (of all groups) and left out.
SELECT
  f.peer AS peer, f.token AS token, f.direction AS direction, f.interactions AS interactions, f.transactions AS transactions,
  f.transfers_in AS transfers_in, f.transfers_out AS transfers_out, f.raw_in AS raw_in,
  f.raw_in_high AS raw_in_high, f.raw_out AS raw_out, f.raw_out_high AS raw_out_high,
  f.in_usd AS in_usd, f.out_usd AS out_usd, f.unpriced AS unpriced, f.unpriced_in AS unpriced_in,
  f.first_time AS first_time, f.last_time AS last_time, f.spam AS spam, f.spam_reasons AS spam_reasons,
  toFloat64(intDiv(f.largest, toInt256('79228162514264337593543950336'))) / 1e9 AS largest_usd,
  toUInt32(intDiv(f.largest, toInt256('18446744073709551616'))) AS largest_block,
  toUInt32(intDiv(f.largest, toInt256(4294967296))) AS largest_index, toUInt32(f.largest) AS largest_position,
  f.spam_hash AS spam_hash, f.spam_time AS spam_time, f.via AS via,
  f.is_labelled AS is_labelled, f.hidden_spam AS hidden_spam,
  count() OVER () AS groups, countIf(f.is_labelled = 1) OVER () AS labelled_groups,
  sum(f.interactions) OVER () AS all_interactions, sum(f.unpriced) OVER () AS all_unpriced,
  sum(f.transfers_in) OVER () AS all_transfers_in, sum(f.unpriced_in) OVER () AS all_unpriced_in,
  toFloat64(sum(f.nano_in) OVER ()) / 1e9 AS all_in_usd, toFloat64(sum(f.nano_out) OVER ()) / 1e9 AS all_out_usd
FROM (
  SELECT
    lower(hex(g.peer_key)) AS peer, lower(hex(g.token_key)) AS token, g.direction_key AS direction, g.interactions AS interactions,
    g.transactions AS transactions, g.transfers_in AS transfers_in, g.interactions - g.transfers_in AS transfers_out,
    g.raw_in AS raw_in, g.raw_in_high AS raw_in_high, g.raw_out AS raw_out, g.raw_out_high AS raw_out_high, g.nano_in AS nano_in, g.nano_out AS nano_out,
    toFloat64(g.nano_in) / 1e9 AS in_usd, toFloat64(g.nano_out) / 1e9 AS out_usd, g.unpriced AS unpriced,
    g.unpriced_in AS unpriced_in, g.largest AS largest, g.spam_hash AS spam_hash, g.spam_time AS spam_time,
    g.first_time AS first_time, g.last_time AS last_time, g.spam AS spam, g.spam_reasons AS spam_reasons,
    arraySlice(arraySort(arrayDistinct(arrayMap(pool -> lower(hex(pool)), g.behind))), 1, 20) AS via,
    g.peer_key IN (
      SELECT k.address FROM labels AS k FINAL
      WHERE k.network = {network:String} AND k.category != ''
        AND k.valid_from <= toDateTime({block_time:UInt32}, 'UTC')) AS is_labelled,
    sum(g.hidden) OVER () AS hidden_spam
  FROM (
    SELECT
      if({by_peer:UInt8} = 1, v.party, '') AS peer_key,
      if({by_token:UInt8} = 1, v.token, '') AS token_key,
      if({by_direction:UInt8} = 1, v.direction, 0) AS direction_key,
      countIf(v.is_shown) AS interactions,
      uniqExactIf(v.place, v.is_shown) AS transactions,
      countIf(v.is_shown AND v.direction = 1) AS transfers_in,
      sumIf(v.amount, v.is_shown AND v.direction = 1) AS raw_in,
      sumIf(bitShiftRight(v.amount, 128), v.is_shown AND v.direction = 1) AS raw_in_high,
      sumIf(v.amount, v.is_shown AND v.direction = -1) AS raw_out,
      sumIf(bitShiftRight(v.amount, 128), v.is_shown AND v.direction = -1) AS raw_out_high,
      sumIf(v.nano_usd, v.is_shown AND v.direction = 1) AS nano_in,
      sumIf(v.nano_usd, v.is_shown AND v.direction = -1) AS nano_out,
      countIf(v.is_shown AND NOT v.is_priced) AS unpriced,
      countIf(v.is_shown AND NOT v.is_priced AND v.direction = 1) AS unpriced_in,
      maxIf(v.rank, v.is_shown AND v.is_priced) AS largest,
      lower(hex(argMaxIf(v.tx_hash, v.place, v.reasons != 0))) AS spam_hash,
      toUnixTimestamp(maxIf(v.time, v.reasons != 0)) AS spam_time,
      toUnixTimestamp(minIf(v.time, v.is_shown)) AS first_time,
      toUnixTimestamp(maxIf(v.time, v.is_shown)) AS last_time,
      countIf(v.reasons != 0) AS spam,
      groupBitOr(v.reasons) AS spam_reasons,
      countIf(NOT v.is_shown) AS hidden,
      groupArrayIf(v.peer, v.is_shown AND {by_peer:UInt8} = 1 AND v.peer != v.party) AS behind
    FROM (
      SELECT
        r.time AS time, r.direction AS direction, r.token AS token, r.peer AS peer, r.party AS party,
        r.amount AS amount, r.place AS place, r.position AS position, r.tx_hash AS tx_hash, r.unit_usd >= 0 AS is_priced,
        if(is_priced, toInt256(round(least(toFloat64(r.amount) * r.unit_usd, 1e30) * 1e9)), toInt256(0)) AS nano_usd,
        if({by_peer:UInt8} = 1 OR {by_token:UInt8} = 1, toInt256(0),
          nano_usd * toInt256('79228162514264337593543950336') + toInt256(r.place) * toInt256(4294967296)
            + toInt256(r.position)) AS rank,
        bitOr(
          if(r.is_own, 0,
            if(r.is_fungible AND r.amount = 0, 1, 0)
            + if((r.block_number, r.tx_index, r.position) IN (
                SELECT arrayJoin(arrayZip({poison_blocks:Array(UInt64)}, {poison_indexes:Array(UInt32)},
                  {poison_positions:Array(UInt32)})) AS poisoned), 2, 0)
            + if(NOT is_priced AND r.direction = 1
                AND r.token IN (SELECT unhex(arrayJoin({airdrops:Array(String)})) AS flagged), 4, 0)
            + if(NOT is_priced AND r.direction = -1 AND r.is_fungible AND r.amount > 0 AND {is_contract:UInt8} = 0, 8, 0)),
          if(r.token IN (SELECT unhex(arrayJoin({copies:Array(String)})) AS flagged), 16, 0)
          + if(NOT r.is_traded AND r.token IN (SELECT unhex(arrayJoin({urls:Array(String)})) AS flagged), 32, 0)
          + if(NOT r.is_traded AND r.token IN (SELECT unhex(arrayJoin({claims:Array(String)})) AS flagged), 64, 0)
          + if(r.token IN (SELECT unhex(arrayJoin({orders:Array(String)})) AS flagged), 128, 0)
          + if(r.token IN (SELECT unhex(arrayJoin({hidden:Array(String)})) AS flagged), 256, 0)
        ) AS reasons,
        {include_spam:UInt8} = 1 OR reasons = 0 AS is_shown
      FROM (
        SELECT
          m.time AS time, m.direction AS direction, m.token AS token, m.amount AS amount, m.position AS position,
          m.block_number AS block_number, m.tx_index AS tx_index, m.tx_hash AS tx_hash,
          bitOr(bitShiftLeft(m.block_number, 32), m.tx_index) AS place,
          if({wrapped:String} != '' AND m.token = unhex({wrapped:String}) AND m.other = '', m.token, m.other) AS peer,
          if(s.recipient = '', peer, s.recipient) AS party,
          m.is_own AS is_own,
          m.kind IN ('erc20', 'spl', 'trc20', 'trc10') AS is_fungible,
          if(m.kind IN ('erc721', 'erc1155') OR p.token = '', -1, p.unit_usd) AS unit_usd,
          p.is_traded AND unit_usd >= 0 AS is_traded
        FROM (
          SELECT l.time AS time, l.direction AS direction, l.token AS token, l.amount AS amount, l.position AS position,
            l.block_number AS block_number, l.tx_index AS tx_index, l.tx_hash AS tx_hash, l.kind AS kind, l.peer AS other,
            l.sender = l.address AS is_own
          FROM ledger AS l
          WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
            AND l.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
            AND (l._table = 'ledger_final') = (l.block_number <= {final_block:UInt64})
            AND l.time >= toDateTime({since:UInt32}, 'UTC') AND l.time < toDateTime({until:UInt32}, 'UTC')
            AND l.kind NOT IN ('fee', 'tip', 'rent')
            AND l.peer != l.address
            AND ({direction:Int8} = 0 OR l.direction = {direction:Int8})
            AND ({any_token:UInt8} = 1 OR l.token = unhex({token:String}))
            AND (empty({peers:Array(String)}) OR l.peer = '' OR l.sender = l.address
              OR l.peer IN (SELECT unhex(arrayJoin({peers:Array(String)})) AS wanted))
        ) AS m
        LEFT JOIN (
          SELECT t.block_number AS block_number, t.tx_index AS tx_index, t.recipient AS recipient
          FROM transactions AS t
          WHERE t.network = {network:String}
            AND t.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
            AND (t._table = 'transactions_final') = (t.block_number <= {final_block:UInt64})
            AND t.sender = unhex({wallet:String})
            AND (t.block_number, t.tx_index) IN (
              SELECT o.block_number, o.tx_index
              FROM ledger AS o
              PREWHERE o.network = {network:String} AND o.address = unhex({wallet:String})
              WHERE o.sender = o.address
                AND o.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
                AND (o._table = 'ledger_final') = (o.block_number <= {final_block:UInt64})
                AND o.time >= toDateTime({since:UInt32}, 'UTC') AND o.time < toDateTime({until:UInt32}, 'UTC')
                AND o.kind NOT IN ('fee', 'tip', 'rent')
              GROUP BY o.block_number, o.tx_index
              HAVING min(o.direction) = -1 AND max(o.direction) = 1)
            AND t.recipient IN (
              SELECT k.address FROM labels AS k FINAL
              WHERE k.network = {network:String} AND k.category = 'dex' AND k.source != 'pools'
                AND k.valid_from <= toDateTime({block_time:UInt32}, 'UTC'))
        ) AS s ON s.block_number = m.block_number AND s.tx_index = m.tx_index
        LEFT JOIN (
          SELECT q.token AS token, toUnixTimestamp(q.hour) AS hour, q.price_usd / exp10(d.decimals) AS unit_usd,
            q.confidence != 'low' AS is_traded
          FROM prices AS q FINAL
          INNER JOIN (
            SELECT c.token AS token, assumeNotNull(c.decimals) AS decimals
            FROM tokens AS c FINAL
            WHERE c.network = {network:String} AND c.decimals IS NOT NULL AND c.token IN (
              SELECT if(o.token = '', unhex({wrapped:String}), o.token) AS moved
              FROM ledger AS o
              PREWHERE o.network = {network:String} AND o.address = unhex({wallet:String})
              WHERE o.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
                AND (o._table = 'ledger_final') = (o.block_number <= {final_block:UInt64})
                AND o.time >= toDateTime({since:UInt32}, 'UTC') AND o.time < toDateTime({until:UInt32}, 'UTC'))
          ) AS d ON d.token = q.token
          WHERE q.network = {network:String} AND (q.token, q.hour) IN (
              SELECT if(o.token = '', unhex({wrapped:String}), o.token) AS moved, toStartOfHour(o.time) AS moved_at
              FROM ledger AS o
              PREWHERE o.network = {network:String} AND o.address = unhex({wallet:String})
              WHERE o.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
                AND (o._table = 'ledger_final') = (o.block_number <= {final_block:UInt64})
                AND o.time >= toDateTime({since:UInt32}, 'UTC') AND o.time < toDateTime({until:UInt32}, 'UTC'))
            AND q.hour >= toStartOfHour(toDateTime({since:UInt32}, 'UTC')) AND q.hour < toDateTime({until:UInt32}, 'UTC')
            AND q.hour < toDateTime({stored_until:UInt32}, 'UTC')
          UNION ALL
          SELECT unhex(late.1) AS token, late.2 AS hour, late.3 AS unit_usd, late.4 AS is_traded
          FROM (
            SELECT arrayJoin(arrayZip({late_tokens:Array(String)}, {late_hours:Array(UInt32)}, {late_units:Array(Float64)},
              {late_is_traded:Array(UInt8)})) AS late)
        ) AS p ON p.token = if(m.token = '', unhex({wrapped:String}), m.token)
          AND p.hour = toUnixTimestamp(toStartOfHour(m.time))
      ) AS r
      WHERE ({with_void:UInt8} = 1 OR r.peer != '')
        AND (empty({categories:Array(String)}) OR r.party IN (
          SELECT k.address FROM labels AS k FINAL
          WHERE k.network = {network:String} AND has({categories:Array(String)}, k.category)
            AND k.valid_from <= toDateTime({block_time:UInt32}, 'UTC')))
        AND (empty({peers:Array(String)}) OR r.party IN (SELECT unhex(arrayJoin({peers:Array(String)})) AS wanted))
    ) AS v
    GROUP BY peer_key, token_key, direction_key
  ) AS g
) AS f
WHERE f.interactions > 0 AND ({min_usd:Float64} = 0 OR f.in_usd + f.out_usd >= {min_usd:Float64})
ORDER BY
  if({sort:String} = 'count', f.interactions, 0) DESC,
  if({sort:String} = 'recent', f.last_time, 0) DESC,
  f.nano_in + f.nano_out DESC, f.interactions DESC, peer, token, direction
LIMIT {limit_by:UInt32} BY peer
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
