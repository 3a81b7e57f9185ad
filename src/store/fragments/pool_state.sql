-- A row of pool_states as it is answered.
lower(hex(s.pool)) AS pool,
s.reserve0 AS reserve0,
s.reserve1 AS reserve1,
s.sqrt_price_x96 AS sqrt_price_x96,
s.liquidity AS liquidity,
s.tick AS tick,
s.time AS time,
s.block_number AS state_block,
s.log_index AS state_log
