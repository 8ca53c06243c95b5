-- A unique index makes the position part of a key that others could reference: while it changes, PostgreSQL locks the row
-- against the foreign keys of answers and messages, so nobody could answer or send any lift of the journey. An exclusion
-- constraint keeps positions apart without being such a key.
drop index lifts_in_order;
alter table lifts add constraint lifts_in_order
  exclude (tenant_id with =, journey_id with =, position with =);
