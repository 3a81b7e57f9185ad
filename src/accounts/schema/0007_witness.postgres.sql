-- PostgreSQL only: a question is something that processes hear of.
create trigger witness_asked after insert on witness for each statement execute function assay_changed();
