-- A journey that is over takes answers for a while; one that is archived takes none, and its figures stand still.
alter table journeys
  add column grace_days integer not null default 7 check (grace_days between 0 and 90),
  add column answers_until timestamptz;
comment on column journeys.grace_days is 'How long its lifts take answers after it was completed.';
comment on column journeys.answers_until is 'Null while it is not over.';
update journeys set answers_until = updated_on + grace_days * interval '1 day' where status = 'completed';
update journeys set answers_until = updated_on where status = 'archived';
