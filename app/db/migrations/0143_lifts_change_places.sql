-- That no two lifts of a journey have one place is not said by a unique index: what is in one is a key that others could
-- refer to, and while it changes nobody could answer or send any lift of the journey.
drop index lifts_in_order;
alter table lifts add constraint lifts_in_order
  exclude (tenant_id with =, journey_id with =, position with =);
