-- Of two who save at once the second is told: each says which state was edited.
alter table learning_objectives add column lock_version integer not null default 0;
alter table members add column lock_version integer not null default 0;
-- Counts the orders of a journey's lifts, apart from the rest of the journey.
alter table journeys add column order_version integer not null default 0;

-- What authors decide about members is written in many places, also for many at once;
-- that a learner opened a lift is none of it.
create function count_decisions() returns trigger language plpgsql as $$
begin
  new.lock_version := old.lock_version + 1;
  return new;
end $$;
create trigger members_decided before update of role, exclude_data, sponsor_id, state on members
  for each row when (
    old.role <> new.role or old.exclude_data <> new.exclude_data or old.sponsor_id is distinct from new.sponsor_id
    or (old.state = 'withdrawn') <> (new.state = 'withdrawn')
  ) execute function count_decisions();
