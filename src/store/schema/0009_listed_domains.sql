-- Domains of phishing sites that an imported list names. is_allowed: an exception of the list below a domain that it names.
CREATE TABLE IF NOT EXISTS listed_domains (
  domain String, list LowCardinality(String), is_allowed UInt8, is_removed UInt8, written_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(written_at) ORDER BY (domain, list)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

ALTER TABLE lists MODIFY COLUMN kind Enum8('labels' = 1, 'sanctions' = 2, 'tokens' = 3, 'domains' = 4);
