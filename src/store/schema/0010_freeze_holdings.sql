-- holding: which of the wallet's accounts of the token was frozen, where tokens lie in accounts of their own; '' = all that
-- the wallet has.
ALTER TABLE freeze_events_final ADD COLUMN IF NOT EXISTS holding String;
ALTER TABLE freeze_events_head ADD COLUMN IF NOT EXISTS holding String;
ALTER TABLE freeze_events ADD COLUMN IF NOT EXISTS holding String;
