-- In the order of their addresses, people of all companies stand between those of one.
create index users_by_email on users (tenant_id, email, id);

-- Counts read indexes alone, which PostgreSQL can where a table has been vacuumed since it changed: a fifth of a million
-- rows, as everywhere else, is long to wait.
alter table users set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table user_general_roles set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table members set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table fact_learner set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
