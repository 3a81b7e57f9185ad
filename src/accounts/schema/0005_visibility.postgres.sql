-- PostgreSQL only: notifies processes of a change of the allowlist.
create trigger visibility_changed after insert on visibility for each statement execute function assay_changed();
