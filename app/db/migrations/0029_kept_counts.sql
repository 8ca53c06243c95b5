-- How many lifts and learners a journey has, kept: lists and schedules show them, and counting grows with the journey.

alter table journeys
  add column lift_count integer not null default 0,
  add column learner_count integer not null default 0;

create function add_to_counts(of_tenant uuid, of_journey bigint, lifts bigint, learners bigint) returns void
  language sql as $$
  update journeys set lift_count = lift_count + lifts::int, learner_count = learner_count + learners::int
  where tenant_id = of_tenant and id = of_journey
$$;

create function count_members() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_to_counts(tenant_id, journey_id, 0, count(*)) from new_members
    where role = 'learner' and state <> 'withdrawn' group by tenant_id, journey_id order by journey_id;
  elsif tg_op = 'DELETE' then
    perform add_to_counts(tenant_id, journey_id, 0, -count(*)) from old_members
    where role = 'learner' and state <> 'withdrawn' group by tenant_id, journey_id order by journey_id;
  else
    -- Who begins to read changes their membership and no count, and waits for nobody who holds the journey.
    perform add_to_counts(tenant_id, journey_id, 0, sum(n)) from (
      select tenant_id, journey_id, 1 as n from new_members where role = 'learner' and state <> 'withdrawn'
      union all
      select tenant_id, journey_id, -1 from old_members where role = 'learner' and state <> 'withdrawn') changed
    group by tenant_id, journey_id having sum(n) <> 0 order by journey_id;
  end if;
  return null;
end $$;
create trigger count_inserted after insert on members
  referencing new table as new_members for each statement execute function count_members();
create trigger count_updated after update on members
  referencing old table as old_members new table as new_members for each statement execute function count_members();
create trigger count_deleted after delete on members
  referencing old table as old_members for each statement execute function count_members();

create function count_lifts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_to_counts(tenant_id, journey_id, count(*), 0) from new_lifts
    where status <> 'retired' group by tenant_id, journey_id order by journey_id;
  elsif tg_op = 'DELETE' then
    perform add_to_counts(tenant_id, journey_id, -count(*), 0) from old_lifts
    where status <> 'retired' group by tenant_id, journey_id order by journey_id;
  else
    perform add_to_counts(tenant_id, journey_id, sum(n), 0) from (
      select tenant_id, journey_id, 1 as n from new_lifts where status <> 'retired'
      union all
      select tenant_id, journey_id, -1 from old_lifts where status <> 'retired') changed
    group by tenant_id, journey_id having sum(n) <> 0 order by journey_id;
  end if;
  return null;
end $$;
create trigger count_inserted after insert on lifts
  referencing new table as new_lifts for each statement execute function count_lifts();
create trigger count_updated after update on lifts
  referencing old table as old_lifts new table as new_lifts for each statement execute function count_lifts();
create trigger count_deleted after delete on lifts
  referencing old table as old_lifts for each statement execute function count_lifts();

-- Those who were there before are counted once. Row-level security is forced on their owner too.
alter table journeys no force row level security;
alter table members no force row level security;
alter table lifts no force row level security;
update journeys j set
  lift_count = (select count(*) from lifts l where l.tenant_id = j.tenant_id and l.journey_id = j.id and l.status <> 'retired'),
  learner_count = (select count(*) from members m where m.tenant_id = j.tenant_id and m.journey_id = j.id
    and m.role = 'learner' and m.state <> 'withdrawn');
alter table journeys force row level security;
alter table members force row level security;
alter table lifts force row level security;

-- A few people are disabled; who of them takes part is asked of them, not of everybody.
create index users_disabled on users (tenant_id, id) where activation_status = 'disabled';
