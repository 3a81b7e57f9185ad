-- PostgreSQL only: notifies processes of a question.
create trigger witness_asked after insert on witness for each statement execute function assay_changed();
