-- hooks: the contract that a pool asks before and after its trades (Uniswap v4); '' = it has none, or it was indexed
-- before there was this column. Which of the two it is, the pool's id tells: it is the hash of its whole key.
ALTER TABLE pools_final ADD COLUMN IF NOT EXISTS hooks String;
ALTER TABLE pools_head ADD COLUMN IF NOT EXISTS hooks String;
ALTER TABLE pools ADD COLUMN IF NOT EXISTS hooks String;
