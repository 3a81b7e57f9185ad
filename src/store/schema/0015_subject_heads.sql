-- Where the history of an address ends above the final block, as JSON ('' = it ends there). Its blocks are rows of the tail
-- (docs/design/on_demand.md).
ALTER TABLE subjects ADD COLUMN IF NOT EXISTS head String DEFAULT '';
