-- Depth behind a price. cost_to_move_usd: USD that move it by a tenth for the hour; -1 where no pool sets it.
-- sell_reserve (whole coins), sell_payout_usd: what the token's pools hold; -1 where nothing limits the amount.
ALTER TABLE prices ADD COLUMN IF NOT EXISTS cost_to_move_usd Float64 DEFAULT -1;
ALTER TABLE prices ADD COLUMN IF NOT EXISTS sell_reserve Float64 DEFAULT -1;
ALTER TABLE prices ADD COLUMN IF NOT EXISTS sell_payout_usd Float64 DEFAULT -1;
-- Prices are now those of block ends, so the indexer derives all hours again.
TRUNCATE TABLE prices;
