-- The clock of the testing tenant can be set forward; every other tenant has the clock of the machine.
alter table tenants
  add clock_ahead_ms bigint not null default 0 check (clock_ahead_ms >= 0),
  -- Where the clock is on its way to, and since when; null while it runs as every other.
  add clock_move jsonb,
  -- One more with every move: a form that is sent twice moves the clock once.
  add clock_version integer not null default 0,
  add constraint tenants_clock_of_testing check (is_testing or (clock_ahead_ms = 0 and clock_move is null));

grant update (clock_ahead_ms, clock_move, clock_version) on tenants to liftwell_app, liftwell_worker;

-- The testing tenant, and how far its clock is ahead.
create function testing_clock(out tenant uuid, out ahead interval) language sql stable
  security definer set search_path = public, pg_temp as $$
  select t.id, t.clock_ahead_ms * interval '1 millisecond' from tenants t where t.is_testing
$$;

create function clock_ahead_ms(tenant uuid) returns bigint language sql stable
  security definer set search_path = public, pg_temp as $$
  select coalesce((select t.clock_ahead_ms from tenants t where t.id = tenant and t.is_testing), 0)
$$;

-- What the clock of a tenant shows; without a scope, where rows of all tenants are looked at.
create function tenant_now(tenant uuid) returns timestamptz language sql stable as $$
  select now() + clock_ahead_ms(tenant) * interval '1 millisecond'
$$;

-- The latest that any clock shows: what an index finds first, before each row is asked by its own.
create function latest_now() returns timestamptz language sql stable as $$
  select now() + coalesce((select ahead from testing_clock()), interval '0')
$$;

-- What the clock of the scope's tenant shows. The program sets how far it is ahead together with the scope.
create function scope_now() returns timestamptz language sql stable as $$
  select now() + coalesce(nullif(current_setting('app.clock_ahead_ms', true), ''), '0')::double precision * interval '1 millisecond'
$$;

grant create on schema public to liftwell_lookup;
alter function testing_clock() owner to liftwell_lookup;
alter function clock_ahead_ms(uuid) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function testing_clock(), clock_ahead_ms(uuid), tenant_now(uuid), latest_now(), scope_now() from public;
grant execute on function testing_clock(), clock_ahead_ms(uuid), tenant_now(uuid), latest_now(), scope_now()
  to liftwell_app, liftwell_worker, liftwell_lookup;

-- What people live through has the time of their tenant; sessions, jobs, files, the audit log and what people said of
-- messages (consent, stops) have the machine's.
do $$
declare
  place record;
begin
  for place in
    select c.relname, a.attname from pg_attrdef d
      join pg_class c on c.oid = d.adrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = d.adnum
    where c.relnamespace = 'public'::regnamespace and pg_get_expr(d.adbin, d.adrelid) = 'now()'
      and c.relname in ('notifications', 'journeys', 'learning_objectives', 'lifts', 'prompts', 'lift_versions', 'members',
        'responses', 'occurrences', 'journey_plans', 'inbound_texts', 'dispatches', 'outbox_messages',
        'assessments', 'assessment_forms', 'commitments', 'commitment_events', 'encouragements', 'sponsor_briefs')
      -- By the machine's, plans are seen to have been broken off.
      and a.attname <> 'touched_on'
  loop
    execute format('alter table %I alter %I set default scope_now()', place.relname, place.attname);
  end loop;
end $$;

create or replace function enqueue_job(name text, payload jsonb, key text default null, run_at timestamptz default null,
  carrier text default null) returns void language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp as $$
declare
  tenant uuid := scope_tenant();
begin
  if tenant is null then
    raise exception 'A job is added inside a tenant''s scope' using errcode = 'insufficient_privilege';
  end if;
  perform graphile_worker.add_job(
    identifier => name,
    payload => (payload || jsonb_build_object('tenant_id', tenant))::json,
    -- The queue goes by the machine's clock.
    run_at => enqueue_job.run_at - (scope_now() - now()),
    max_attempts => 8,
    job_key => tenant || ':' || key,
    flags => array[coalesce(carrier, 'other')]);
end $$;

create or replace function refuse_dispatch() returns trigger language plpgsql as $$
declare
  said text;
  clock time;
  is_known boolean;
  settings jsonb;
  of_part jsonb;
  quiet record;
begin
  if old.state in ('accepted', 'delivered') then
    raise exception 'dispatch % was accepted already', new.id using errcode = 'check_violation';
  end if;
  if exists (select from dispatches d where d.tenant_id = new.tenant_id and d.occurrence_id = new.occurrence_id
      and d.kind = new.kind and d.seq = new.seq and d.id <> new.id
      and d.state in ('sending', 'unknown', 'accepted', 'delivered')) then
    raise exception 'dispatch % left by another channel already', new.id using errcode = 'check_violation';
  end if;
  if new.channel <> 'sms' then return new; end if;
  select e.action into said from consent_events e
    where e.tenant_id = new.tenant_id and e.number = new.address and e.action <> 'import'
    order by e.at desc, e.id desc limit 1;
  if said is distinct from 'opt_in' then
    raise exception 'dispatch % goes to a number without consent', new.id using errcode = 'check_violation';
  end if;
  select (scope_now() at time zone coalesce(u.timezone, s.timezone, t.timezone))::time,
      coalesce(u.timezone, s.timezone) is not null, t.settings, s.settings into clock, is_known, settings, of_part
    from occurrences o
      join members m on m.tenant_id = o.tenant_id and m.id = o.member_id
      join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
      join journeys j on j.tenant_id = o.tenant_id and j.id = o.journey_id
      join tenants t on t.id = o.tenant_id
      left join sub_tenants s on s.tenant_id = j.tenant_id and s.id = j.sub_tenant_id
    where o.tenant_id = new.tenant_id and o.id = new.occurrence_id;
  select * into quiet from quiet_hours_of(settings, of_part, is_known);
  if clock >= quiet.quiet_from or clock < quiet.quiet_to then
    raise exception 'dispatch % would arrive in quiet hours', new.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function scope_has_version(lift bigint, of_version integer) returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select exists (select from members m
      join occurrences o on o.tenant_id = m.tenant_id and o.member_id = m.id and o.lift_id = lift
    where m.tenant_id = scope_tenant() and m.user_id = nullif(current_setting('app.user_id', true), '')::bigint
      and m.state <> 'withdrawn' and o.content_version = of_version
      and o.due_at <= scope_now() and o.state not in ('held', 'cancelled'))
$$;

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
  having count(*) > 20 * count(distinct (t.lift_id, t.due_on, t.is_counted))
$$;

create or replace function assessments_to_look_after() returns table (tenant_id uuid, id bigint) language sql stable
  security definer set search_path = public, pg_temp as $$
  select a.tenant_id, a.id from assessments a join journeys j on j.tenant_id = a.tenant_id and j.id = a.journey_id
  where a.is_stale and j.status <> 'draft'
  union
  select f.tenant_id, f.assessment_id from assessment_forms f
    join assessments a on a.tenant_id = f.tenant_id and a.id = f.assessment_id
    join journeys j on j.tenant_id = f.tenant_id and j.id = f.journey_id
    join members m on m.tenant_id = f.tenant_id and m.id = f.rater_id
    join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
  where f.state = 'not_open' and f.opens_at <= latest_now() and f.opens_at <= tenant_now(f.tenant_id)
    and j.status in ('scheduled', 'active', 'completed')
    and u.activation_status <> 'disabled'
  union
  select f.tenant_id, f.assessment_id from assessment_forms f
  where f.state in ('not_open', 'open', 'in_progress') and f.closes_at <= latest_now()
    and f.closes_at <= tenant_now(f.tenant_id)
$$;

-- `at` is by the machine's clock.
create or replace function sponsors_to_brief(at timestamptz) returns table (tenant_id uuid, user_id bigint, week_on date) language sql stable
  security definer set search_path = public, pg_temp as $$
  select distinct u.tenant_id, u.id, local.now::date
  from members own
    join members m on m.tenant_id = own.tenant_id and m.sponsor_id = own.id
    join journeys j on j.tenant_id = own.tenant_id and j.id = own.journey_id
    join users u on u.tenant_id = own.tenant_id and u.id = own.user_id
    join tenants t on t.id = own.tenant_id
    cross join lateral (select (at + t.clock_ahead_ms * interval '1 millisecond') at time zone coalesce(u.timezone, t.timezone) as now) local
  where own.state <> 'withdrawn' and m.state <> 'withdrawn' and m.role = 'learner'
    and j.status in ('scheduled', 'active', 'paused', 'completed')
    and t.status = 'active' and t.deleted_on is null
    and u.activation_status <> 'disabled' and not 'brief' = any(u.muted_notifications)
    and extract(isodow from local.now) = 1 and local.now::time between '09:00' and '18:00'
    and not exists (select from sponsor_briefs b
      where b.tenant_id = u.tenant_id and b.user_id = u.id and b.week_on = local.now::date)
$$;

create or replace function commitments_to_remind(at timestamptz) returns table (tenant_id uuid, user_id bigint, by_on date)
  language sql stable security definer set search_path = public, pg_temp as $$
  select distinct c.tenant_id, u.id, c.by_on
  from commitments c
    join members m on m.tenant_id = c.tenant_id and m.id = c.member_id
    join journeys j on j.tenant_id = c.tenant_id and j.id = c.journey_id
    join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
    join tenants t on t.id = c.tenant_id
    left join sub_tenants s on s.tenant_id = j.tenant_id and s.id = j.sub_tenant_id
    cross join lateral (select (at + t.clock_ahead_ms * interval '1 millisecond') at time zone coalesce(u.timezone, s.timezone, t.timezone) as now) local
  where c.state = 'open' and c.reminded_on is null
    and c.by_on between (at - interval '2 days')::date and (at + (latest_now() - now()) + interval '2 days')::date
    and c.by_on = local.now::date and local.now::time between '08:00' and '21:00'
    and m.state <> 'withdrawn' and j.status in ('scheduled', 'active', 'completed')
    and u.activation_status <> 'disabled' and t.status = 'active' and t.deleted_on is null
$$;
