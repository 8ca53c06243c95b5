-- Whoever left a journey can answer nothing there any more: nothing waits for them, and they are not behind.
comment on column lift_tallies.waiting is 'Sent, neither answered nor completed, and its learner still takes part.';

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
      count(f.accepted_at) filter (where f.responded_at is null and f.completed_at is null and f.left_at is null)
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
      -count(f.accepted_at) filter (where f.responded_at is null and f.completed_at is null and f.left_at is null)
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
      sum(f.n * (f.accepted_at is not null and f.responded_at is null and f.completed_at is null
        and f.left_at is null)::int)
    from (select *, 1 as n from new_facts union all select *, -1 from old_facts) f
    where f.state not in ('cancelled', 'held') group by 1, 2, 3, 4, 5, 6;
  end if;
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
        and (n.required, n.completed_at is null, n.state = 'expired', n.closes_at, n.left_at is null)
          is distinct from (o.required, o.completed_at is null, o.state = 'expired', o.closes_at, o.left_at is null) group by 1
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

create or replace function recount_owed(of_tenant uuid, learners bigint[]) returns void language plpgsql as $$
begin
  perform from fact_learner where tenant_id = of_tenant and member_id = any(learners) order by member_id for update;
  update fact_learner l set owes_from = owed.owes_from, owes_until = owed.owes_until
  from unnest(learners) as learner (id) cross join lateral (
    select min(f.due_at) filter (where f.closes_at is null) as owes_from, max(f.closes_at) as owes_until
    from fact_occurrence f where f.tenant_id = of_tenant and f.member_id = learner.id
      and f.is_counted and f.required and f.completed_at is null and f.state <> 'expired'
      and f.left_at is null) owed
  where l.tenant_id = of_tenant and l.member_id = learner.id
    and (l.owes_from, l.owes_until) is distinct from (owed.owes_from, owed.owes_until);
end $$;

-- What there is already. Nobody else is at work while tables are changed.
alter table fact_occurrence no force row level security;
alter table lift_tallies no force row level security;
insert into lift_tallies (tenant_id, journey_id, lift_id, due_from, closes_from, is_counted, waiting)
select f.tenant_id, f.journey_id, f.lift_id, quarter_of(f.due_at), quarter_of(f.closes_at), f.is_counted, -count(*)
from fact_occurrence f
where f.left_at is not null and f.accepted_at is not null and f.responded_at is null and f.completed_at is null
  and f.state not in ('cancelled', 'held')
group by 1, 2, 3, 4, 5, 6;
alter table fact_learner no force row level security;
update fact_learner l set owes_from = null, owes_until = null
where (l.owes_from is not null or l.owes_until is not null) and exists (
  select from fact_occurrence f
  where f.tenant_id = l.tenant_id and f.member_id = l.member_id and f.left_at is not null);
alter table fact_learner force row level security;
alter table lift_tallies force row level security;
alter table fact_occurrence force row level security;
