-- PostgreSQL only: a change of the allowlist is one that processes hear of.
create trigger visibility_changed after insert on visibility for each statement execute function assay_changed();
