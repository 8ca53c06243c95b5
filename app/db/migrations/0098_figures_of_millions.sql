-- Figures of ten million facts of one tenant: who waits for an answer is summed up with what became of lifts, and who is
-- behind, or was due anything in some days, is told by indexes alone.

alter table lift_tallies
  -- The quarter of an hour in which they close; null: never.
  add column closes_from timestamptz,
  add column waiting bigint not null default 0;
comment on column lift_tallies.waiting is 'Sent, and neither answered nor completed.';

-- Of an update one row tells what changed.
create or replace function tally_facts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into lift_tallies (tenant_id, journey_id, lift_id, due_from, closes_from, is_counted,
      assigned, accepted, opened, responded, completed, unknown, failed, asked, suppressed, expired, pending,
      delivered, opened_and_delivered, answered, waiting)
    select f.tenant_id, f.journey_id, f.lift_id, quarter_of(f.due_at), quarter_of(f.closes_at), f.is_counted,
      count(*), count(f.accepted_at), count(f.opened_at), count(f.responded_at), count(f.completed_at),
      count(*) filter (where f.delivery = 'unknown'), count(*) filter (where f.delivery = 'failed'),
      count(*) filter (where f.asks), count(*) filter (where f.delivery = 'suppressed'),
      count(*) filter (where f.delivery = 'expired'), count(*) filter (where f.delivery = 'pending'),
      count(f.delivered_at), count(f.opened_at) filter (where f.delivered_at is not null),
      count(f.responded_at) filter (where f.asks),
      count(f.accepted_at) filter (where f.responded_at is null and f.completed_at is null)
    from new_facts f where f.state not in ('cancelled', 'held') group by 1, 2, 3, 4, 5, 6;
  elsif tg_op = 'DELETE' then
    -- Of a lift or journey that is deleted the sums are deleted, too.
    insert into lift_tallies (tenant_id, journey_id, lift_id, due_from, closes_from, is_counted,
      assigned, accepted, opened, responded, completed, unknown, failed, asked, suppressed, expired, pending,
      delivered, opened_and_delivered, answered, waiting)
    select f.tenant_id, f.journey_id, f.lift_id, quarter_of(f.due_at), quarter_of(f.closes_at), f.is_counted,
      -count(*), -count(f.accepted_at), -count(f.opened_at), -count(f.responded_at), -count(f.completed_at),
      -count(*) filter (where f.delivery = 'unknown'), -count(*) filter (where f.delivery = 'failed'),
      -count(*) filter (where f.asks), -count(*) filter (where f.delivery = 'suppressed'),
      -count(*) filter (where f.delivery = 'expired'), -count(*) filter (where f.delivery = 'pending'),
      -count(f.delivered_at), -count(f.opened_at) filter (where f.delivered_at is not null),
      -count(f.responded_at) filter (where f.asks),
      -count(f.accepted_at) filter (where f.responded_at is null and f.completed_at is null)
    from old_facts f join lifts l on l.tenant_id = f.tenant_id and l.id = f.lift_id
    where f.state not in ('cancelled', 'held') group by 1, 2, 3, 4, 5, 6;
  else
    insert into lift_tallies (tenant_id, journey_id, lift_id, due_from, closes_from, is_counted,
      assigned, accepted, opened, responded, completed, unknown, failed, asked, suppressed, expired, pending,
      delivered, opened_and_delivered, answered, waiting)
    select f.tenant_id, f.journey_id, f.lift_id, quarter_of(f.due_at), quarter_of(f.closes_at), f.is_counted,
      sum(f.n), sum(f.n * (f.accepted_at is not null)::int), sum(f.n * (f.opened_at is not null)::int),
      sum(f.n * (f.responded_at is not null)::int), sum(f.n * (f.completed_at is not null)::int),
      sum(f.n * (f.delivery = 'unknown')::int), sum(f.n * (f.delivery = 'failed')::int), sum(f.n * f.asks::int),
      sum(f.n * (f.delivery = 'suppressed')::int), sum(f.n * (f.delivery = 'expired')::int),
      sum(f.n * (f.delivery = 'pending')::int), sum(f.n * (f.delivered_at is not null)::int),
      sum(f.n * (f.opened_at is not null and f.delivered_at is not null)::int),
      sum(f.n * (f.responded_at is not null and f.asks)::int),
      sum(f.n * (f.accepted_at is not null and f.responded_at is null and f.completed_at is null)::int)
    from (select *, 1 as n from new_facts union all select *, -1 from old_facts) f
    where f.state not in ('cancelled', 'held') group by 1, 2, 3, 4, 5, 6;
  end if;
  return null;
end $$;

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
          -- Of most it is said by the first, which costs nothing.
          else coalesce(o.closes_at, o.due_at + interval '14 days') > now()
            and coalesce(o.closes_at, o.due_at + interval '14 days') > tenant_now(j.tenant_id) end)
  union all
  select t.tenant_id, t.journey_id, false from lift_tallies t group by 1, 2
  having count(*) > 20 * count(distinct (t.lift_id, t.due_from, t.closes_from, t.is_counted))
$$;

-- Of a learner, what tells without their facts whether they were due anything in some days, and whether they are behind.
alter table fact_learner
  -- Of what is counted: the last, and the longest time in which nothing was due, in seconds.
  add column last_due_at timestamptz,
  add column longest_gap bigint,
  -- Of what is required and not completed: since when something waits that never closes, and when the last of the others does.
  add column owes_from timestamptz,
  add column owes_until timestamptz;

create or replace function note_counted_learners() returns trigger language plpgsql as $$
declare
  of_tenant uuid;
  learners bigint[];
begin
  insert into fact_learner (tenant_id, journey_id, member_id, user_id)
  select distinct n.tenant_id, n.journey_id, n.member_id, n.user_id from new_facts n order by n.member_id
  on conflict (tenant_id, member_id) do nothing;
  for of_tenant, learners in select n.tenant_id, array_agg(distinct n.member_id) from new_facts n group by 1
  loop
    perform recount(of_tenant, learners);
  end loop;
  return null;
end $$;

create or replace function recount_learners() returns trigger language plpgsql as $$
declare
  of_tenant uuid;
  learners bigint[];
begin
  if tg_op = 'UPDATE' then
    for of_tenant, learners in
      select n.tenant_id, array_agg(distinct n.member_id)
      from new_facts n join old_facts o on o.tenant_id = n.tenant_id and o.occurrence_id = n.occurrence_id
      where (n.is_counted, n.due_at) is distinct from (o.is_counted, o.due_at) group by 1
    loop
      perform recount(of_tenant, learners);
    end loop;
    for of_tenant, learners in
      select n.tenant_id, array_agg(distinct n.member_id)
      from new_facts n join old_facts o on o.tenant_id = n.tenant_id and o.occurrence_id = n.occurrence_id
      where (n.is_counted, n.due_at) is not distinct from (o.is_counted, o.due_at)
        and (n.required, n.completed_at is null, n.state = 'expired', n.closes_at)
          is distinct from (o.required, o.completed_at is null, o.state = 'expired', o.closes_at) group by 1
    loop
      perform recount_owed(of_tenant, learners);
    end loop;
  else
    for of_tenant, learners in select o.tenant_id, array_agg(distinct o.member_id) from old_facts o group by 1
    loop
      perform recount(of_tenant, learners);
    end loop;
  end if;
  return null;
end $$;

create or replace function recount(of_tenant uuid, learners bigint[]) returns void language plpgsql as $$
begin
  perform from fact_learner where tenant_id = of_tenant and member_id = any(learners) order by member_id for update;
  update fact_learner l
  set first_due_at = counted.first_due_at, last_due_at = counted.last_due_at, longest_gap = counted.longest_gap
  from unnest(learners) as learner (id) cross join lateral (
    select min(f.due_at) as first_due_at, max(f.due_at) as last_due_at, ceil(extract(epoch from max(f.gap)))::bigint as longest_gap
    from (select due_at, due_at - lag(due_at) over (order by due_at) as gap from fact_occurrence
      where tenant_id = of_tenant and member_id = learner.id and is_counted) f) counted
  where l.tenant_id = of_tenant and l.member_id = learner.id
    and (l.first_due_at, l.last_due_at, l.longest_gap)
      is distinct from (counted.first_due_at, counted.last_due_at, counted.longest_gap);
  perform recount_owed(of_tenant, learners);
end $$;

create function recount_owed(of_tenant uuid, learners bigint[]) returns void language plpgsql as $$
begin
  perform from fact_learner where tenant_id = of_tenant and member_id = any(learners) order by member_id for update;
  update fact_learner l set owes_from = owed.owes_from, owes_until = owed.owes_until
  from unnest(learners) as learner (id) cross join lateral (
    select min(f.due_at) filter (where f.closes_at is null) as owes_from, max(f.closes_at) as owes_until
    from fact_occurrence f where f.tenant_id = of_tenant and f.member_id = learner.id
      and f.is_counted and f.required and f.completed_at is null and f.state <> 'expired') owed
  where l.tenant_id = of_tenant and l.member_id = learner.id
    and (l.owes_from, l.owes_until) is distinct from (owed.owes_from, owed.owes_until);
end $$;

-- What there is already. Nobody else is at work while tables are changed.
alter table fact_occurrence no force row level security;
alter table lift_tallies no force row level security;
delete from lift_tallies;
insert into lift_tallies (tenant_id, journey_id, lift_id, due_from, closes_from, is_counted,
  assigned, accepted, opened, responded, completed, unknown, failed, asked, suppressed, expired, pending, delivered,
  opened_and_delivered, answered, waiting)
select f.tenant_id, f.journey_id, f.lift_id, quarter_of(f.due_at), quarter_of(f.closes_at), f.is_counted,
  count(*), count(f.accepted_at), count(f.opened_at), count(f.responded_at), count(f.completed_at),
  count(*) filter (where f.delivery = 'unknown'), count(*) filter (where f.delivery = 'failed'),
  count(*) filter (where f.asks), count(*) filter (where f.delivery = 'suppressed'),
  count(*) filter (where f.delivery = 'expired'), count(*) filter (where f.delivery = 'pending'),
  count(f.delivered_at), count(f.opened_at) filter (where f.delivered_at is not null),
  count(f.responded_at) filter (where f.asks),
  count(f.accepted_at) filter (where f.responded_at is null and f.completed_at is null)
from fact_occurrence f where f.state not in ('cancelled', 'held') group by 1, 2, 3, 4, 5, 6;
alter table fact_learner no force row level security;
update fact_learner l set last_due_at = told.last_due_at, longest_gap = told.longest_gap, owes_from = told.owes_from,
  owes_until = told.owes_until
from (
  select tenant_id, member_id, max(due_at) filter (where is_counted) as last_due_at,
    ceil(extract(epoch from max(gap) filter (where is_counted)))::bigint as longest_gap,
    min(due_at) filter (where is_owed and closes_at is null) as owes_from,
    max(closes_at) filter (where is_owed) as owes_until
  from (select tenant_id, member_id, due_at, closes_at, is_counted,
      due_at - lag(due_at) over (partition by tenant_id, member_id, is_counted order by due_at) as gap,
      is_counted and required and completed_at is null and state <> 'expired' as is_owed
    from fact_occurrence) f
  group by 1, 2) told
where l.tenant_id = told.tenant_id and l.member_id = told.member_id;
alter table fact_learner force row level security;
alter table fact_occurrence force row level security;
alter table lift_tallies force row level security;

-- Who is behind: found without a look at the facts themselves.
drop index fact_occurrence_behind;
drop index fact_occurrence_open;
create index fact_occurrence_open on fact_occurrence (tenant_id, member_id, due_at) include (journey_id, closes_at)
  where is_counted and required and completed_at is null and state <> 'expired';
-- Whether a learner was due anything in some days: likewise.
drop index fact_occurrence_of_member;
create index fact_occurrence_of_member on fact_occurrence (tenant_id, member_id, due_at) include (journey_id, is_counted);
-- All journeys of one person.
create index fact_learner_of_user on fact_learner (tenant_id, user_id);
