-- Lifts are summed up by the quarter of an hour in which they were due: the days of all zones begin with one. What was
-- due earlier today is read from the sums as well, and only the quarter under way is counted one by one.

create function quarter_of(at timestamptz) returns timestamptz language sql immutable
  return date_bin('15 minutes', at, '2000-01-01 00:00Z');

drop index lift_tallies_by_day;
alter table lift_tallies drop column due_on, add column due_from timestamptz;
comment on column lift_tallies.due_from is 'The quarter of an hour in which they were due.';

create or replace function tally_facts() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into lift_tallies (tenant_id, journey_id, lift_id, due_from, is_counted, assigned, accepted, opened, responded,
      completed, unknown, failed, asked, suppressed, expired, pending, delivered, opened_and_delivered, answered)
    select f.tenant_id, f.journey_id, f.lift_id, quarter_of(f.due_at), f.is_counted, -count(*),
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
    insert into lift_tallies (tenant_id, journey_id, lift_id, due_from, is_counted, assigned, accepted, opened, responded,
      completed, unknown, failed, asked, suppressed, expired, pending, delivered, opened_and_delivered, answered)
    select f.tenant_id, f.journey_id, f.lift_id, quarter_of(f.due_at), f.is_counted, count(*),
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
  having count(*) > 20 * count(distinct (t.lift_id, t.due_from, t.is_counted))
$$;

-- What there is already. Nobody else is at work while tables are changed.
alter table fact_occurrence no force row level security;
alter table lift_tallies no force row level security;
delete from lift_tallies;
insert into lift_tallies (tenant_id, journey_id, lift_id, due_from, is_counted, assigned, accepted, opened, responded,
  completed, unknown, failed, asked, suppressed, expired, pending, delivered, opened_and_delivered, answered)
select f.tenant_id, f.journey_id, f.lift_id, quarter_of(f.due_at), f.is_counted, count(*),
  count(f.accepted_at), count(f.opened_at), count(f.responded_at), count(f.completed_at),
  count(*) filter (where f.delivery = 'unknown'), count(*) filter (where f.delivery = 'failed'),
  count(*) filter (where f.asks), count(*) filter (where f.delivery = 'suppressed'),
  count(*) filter (where f.delivery = 'expired'), count(*) filter (where f.delivery = 'pending'),
  count(f.delivered_at), count(f.opened_at) filter (where f.delivered_at is not null),
  count(f.responded_at) filter (where f.asks)
from fact_occurrence f where f.state not in ('cancelled', 'held') group by 1, 2, 3, 4, 5;
alter table fact_occurrence force row level security;
alter table lift_tallies force row level security;
create index lift_tallies_by_quarter on lift_tallies (tenant_id, due_from) where is_counted;
