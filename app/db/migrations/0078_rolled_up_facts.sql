-- Facts say themselves whether they are counted and whether their lift asks something, and are rolled up per journey,
-- lift and day, so that an overview of millions of them sums up some thousand rows.

alter table fact_occurrence
  add column asks boolean not null default true,
  -- Of learners who count, due while they took part; by the as-of moment is the reader's question.
  add column is_counted boolean not null generated always as (not exclude_data and state not in ('cancelled', 'held')
    and due_at is not null and (left_at is null or left_at > due_at)) stored;
comment on column fact_occurrence.asks is 'The version that was sent asks something.';
create index fact_occurrence_counted on fact_occurrence (tenant_id, due_at) where is_counted;
create index fact_occurrence_of_lift on fact_occurrence (tenant_id, lift_id, due_at);

alter table lift_tallies
  -- The day in UTC on which they were due.
  add column due_on date,
  add column is_counted boolean not null default false,
  add column asked bigint not null default 0,
  add column suppressed bigint not null default 0,
  add column expired bigint not null default 0,
  add column pending bigint not null default 0,
  add column delivered bigint not null default 0,
  add column opened_and_delivered bigint not null default 0,
  add column answered bigint not null default 0;
comment on column lift_tallies.answered is 'Of those that are asked something.';

-- Since when a learner is counted: of how many people the figures are, without looking through their facts.
create table fact_learner (
  tenant_id uuid not null,
  journey_id bigint not null,
  member_id bigint not null,
  user_id bigint not null,
  -- Null: not counted.
  first_due_at timestamptz,
  primary key (tenant_id, member_id),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade,
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade
);
create index fact_learner_of_journey on fact_learner (tenant_id, journey_id, user_id, first_due_at);
select protect_through('fact_learner', 'journeys', 'journey_id');

create or replace function tally_facts() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into lift_tallies (tenant_id, journey_id, lift_id, due_on, is_counted, assigned, accepted, opened, responded,
      completed, unknown, failed, asked, suppressed, expired, pending, delivered, opened_and_delivered, answered)
    select f.tenant_id, f.journey_id, f.lift_id, (f.due_at at time zone 'UTC')::date, f.is_counted, -count(*),
      -count(f.accepted_at), -count(f.opened_at), -count(f.responded_at), -count(f.completed_at),
      -count(*) filter (where f.delivery = 'unknown'), -count(*) filter (where f.delivery = 'failed'),
      -count(*) filter (where f.asks), -count(*) filter (where f.delivery = 'suppressed'),
      -count(*) filter (where f.delivery = 'expired'), -count(*) filter (where f.delivery = 'pending'),
      -count(f.delivered_at), -count(f.opened_at) filter (where f.delivered_at is not null),
      -count(f.responded_at) filter (where f.asks)
    from old_facts f join lifts l on l.tenant_id = f.tenant_id and l.id = f.lift_id
    where f.state not in ('cancelled', 'held') group by 1, 2, 3, 4, 5;
  end if;
  if tg_op <> 'DELETE' then
    insert into lift_tallies (tenant_id, journey_id, lift_id, due_on, is_counted, assigned, accepted, opened, responded,
      completed, unknown, failed, asked, suppressed, expired, pending, delivered, opened_and_delivered, answered)
    select f.tenant_id, f.journey_id, f.lift_id, (f.due_at at time zone 'UTC')::date, f.is_counted, count(*),
      count(f.accepted_at), count(f.opened_at), count(f.responded_at), count(f.completed_at),
      count(*) filter (where f.delivery = 'unknown'), count(*) filter (where f.delivery = 'failed'),
      count(*) filter (where f.asks), count(*) filter (where f.delivery = 'suppressed'),
      count(*) filter (where f.delivery = 'expired'), count(*) filter (where f.delivery = 'pending'),
      count(f.delivered_at), count(f.opened_at) filter (where f.delivered_at is not null),
      count(f.responded_at) filter (where f.asks)
    from new_facts f join lifts l on l.tenant_id = f.tenant_id and l.id = f.lift_id
    where f.state not in ('cancelled', 'held') group by 1, 2, 3, 4, 5;
  end if;
  return null;
end $$;

create function note_counted_learners() returns trigger language plpgsql as $$
begin
  insert into fact_learner as l (tenant_id, journey_id, member_id, user_id, first_due_at)
  select n.tenant_id, n.journey_id, n.member_id, n.user_id, min(n.due_at) filter (where n.is_counted)
  from new_facts n group by 1, 2, 3, 4 order by n.member_id
  on conflict (tenant_id, member_id) do update
    set first_due_at = least(l.first_due_at, excluded.first_due_at)
    where excluded.first_due_at < l.first_due_at or l.first_due_at is null and excluded.first_due_at is not null;
  return null;
end $$;
create trigger learners_inserted after insert on fact_occurrence
  referencing new table as new_facts for each statement execute function note_counted_learners();

-- Two who change facts of one learner at once wait for each other first, and each then sees what the other left.
create function recount_learners() returns trigger language plpgsql as $$
declare
  of_tenant uuid;
  changed bigint[];
begin
  if tg_op = 'UPDATE' then
    for of_tenant, changed in
      select n.tenant_id, array_agg(distinct n.member_id)
      from new_facts n join old_facts o on o.tenant_id = n.tenant_id and o.occurrence_id = n.occurrence_id
      where (n.is_counted, n.due_at) is distinct from (o.is_counted, o.due_at) group by 1
    loop
      perform recount(of_tenant, changed);
    end loop;
  else
    for of_tenant, changed in select o.tenant_id, array_agg(distinct o.member_id) from old_facts o group by 1
    loop
      perform recount(of_tenant, changed);
    end loop;
  end if;
  return null;
end $$;
create function recount(of_tenant uuid, learners bigint[]) returns void language plpgsql as $$
begin
  perform from fact_learner where tenant_id = of_tenant and member_id = any(learners) order by member_id for update;
  update fact_learner l set first_due_at = counted.first_due_at
  from (select learner.id, (select min(f.due_at) from fact_occurrence f where f.tenant_id = of_tenant
      and f.member_id = learner.id and f.is_counted) as first_due_at
    from unnest(learners) as learner (id)) counted
  where l.tenant_id = of_tenant and l.member_id = counted.id
    and l.first_due_at is distinct from counted.first_due_at;
end $$;
create trigger learners_updated after update on fact_occurrence
  referencing old table as old_facts new table as new_facts for each statement execute function recount_learners();
create trigger learners_deleted after delete on fact_occurrence
  referencing old table as old_facts for each statement execute function recount_learners();

-- Journeys that are over, and those with many tallies to sum up.
create or replace function journeys_to_look_after() returns table (tenant_id uuid, id bigint, is_over boolean)
  language sql stable security definer set search_path = public, pg_temp as $$
  select j.tenant_id, j.id, true from journeys j
  where j.status = 'active'
    and exists (select from occurrences o where o.tenant_id = j.tenant_id and o.journey_id = j.id)
    and not exists (select from journey_plans p where p.tenant_id = j.tenant_id and p.journey_id = j.id)
    and not exists (
      select from occurrences o join lifts l on l.tenant_id = o.tenant_id and l.id = o.lift_id
      where o.tenant_id = j.tenant_id and o.journey_id = j.id and o.state not in ('completed', 'cancelled', 'expired')
        and case when o.due_at is null then l.schedule ->> 'kind' = 'manual'
          else coalesce(o.closes_at, o.due_at + interval '14 days') > now() end)
  union all
  select t.tenant_id, t.journey_id, false from lift_tallies t group by 1, 2
  having count(*) > 20 * count(distinct (t.lift_id, t.due_on, t.is_counted))
$$;

-- What there is already. Nobody else is at work while tables are changed, and triggers need not tell it twice.
alter table fact_occurrence no force row level security;
alter table occurrences no force row level security;
alter table lift_versions no force row level security;
alter table lift_tallies no force row level security;
alter table fact_learner no force row level security;
alter table fact_occurrence disable trigger user;
update fact_occurrence f set asks = false
from occurrences o join lift_versions v on v.tenant_id = o.tenant_id and v.lift_id = o.lift_id
  and v.version = o.content_version
where o.tenant_id = f.tenant_id and o.id = f.occurrence_id and jsonb_array_length(v.content -> 'prompts') = 0;
delete from lift_tallies;
insert into lift_tallies (tenant_id, journey_id, lift_id, due_on, is_counted, assigned, accepted, opened, responded,
  completed, unknown, failed, asked, suppressed, expired, pending, delivered, opened_and_delivered, answered)
select f.tenant_id, f.journey_id, f.lift_id, (f.due_at at time zone 'UTC')::date, f.is_counted, count(*),
  count(f.accepted_at), count(f.opened_at), count(f.responded_at), count(f.completed_at),
  count(*) filter (where f.delivery = 'unknown'), count(*) filter (where f.delivery = 'failed'),
  count(*) filter (where f.asks), count(*) filter (where f.delivery = 'suppressed'),
  count(*) filter (where f.delivery = 'expired'), count(*) filter (where f.delivery = 'pending'),
  count(f.delivered_at), count(f.opened_at) filter (where f.delivered_at is not null),
  count(f.responded_at) filter (where f.asks)
from fact_occurrence f where f.state not in ('cancelled', 'held') group by 1, 2, 3, 4, 5;
insert into fact_learner (tenant_id, journey_id, member_id, user_id, first_due_at)
select f.tenant_id, f.journey_id, f.member_id, f.user_id, min(f.due_at) filter (where f.is_counted)
from fact_occurrence f group by 1, 2, 3, 4;
alter table fact_occurrence enable trigger user;
alter table fact_occurrence force row level security;
alter table occurrences force row level security;
alter table lift_versions force row level security;
alter table lift_tallies force row level security;
alter table fact_learner force row level security;

-- A number is read from few rows of many days: by when they were due.
create index lift_tallies_by_day on lift_tallies (tenant_id, due_on) where is_counted;
