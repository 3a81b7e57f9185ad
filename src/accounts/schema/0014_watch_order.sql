-- Events ascend by their id: ids of one process ascend in the order in which they were made (ids.ts).
alter table watch_events drop column ordinal;
