-- A part of a company may rest longer than its company: the wall before a text keeps both.

-- As the program has it (domain/schedules/quiet-hours.ts): the longer rest counts, and where the two together leave
-- no time at all, the company's alone.
create function quiet_hours_of(settings jsonb, of_part jsonb, is_zone_known boolean,
  out quiet_from time, out quiet_to time)
language plpgsql immutable as $$
declare
  own record;
begin
  select * into quiet_from, quiet_to from quiet_hours_of(settings, is_zone_known);
  if of_part #>> '{quiet_hours,from}' ~ '^([01]\d|2[0-3]):[0-5]\d$'
      and of_part #>> '{quiet_hours,to}' ~ '^([01]\d|2[0-3]):[0-5]\d$' then
    select * into own from quiet_hours_of(of_part, is_zone_known);
    if least(quiet_from, own.quiet_from) > greatest(quiet_to, own.quiet_to) then
      quiet_from := least(quiet_from, own.quiet_from);
      quiet_to := greatest(quiet_to, own.quiet_to);
    end if;
  end if;
end $$;

-- The hours are those of the journey's place, as its clock is for whoever has none.
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
  select (now() at time zone coalesce(u.timezone, s.timezone, t.timezone))::time,
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

-- Whose part begins to rest at other hours is planned anew, whether they have a clock of their own or not.
create or replace function replan_after_move() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp as $$
declare
  payload jsonb;
begin
  if tg_table_name = 'users' then
    payload := jsonb_build_object('tenant_id', new.tenant_id, 'user_id', new.id);
  elsif tg_table_name = 'sub_tenants' then
    payload := jsonb_build_object('tenant_id', new.tenant_id, 'sub_tenant_id', new.id,
      'everybody', new.settings -> 'quiet_hours' is distinct from old.settings -> 'quiet_hours');
  else
    payload := jsonb_build_object('tenant_id', new.id,
      'everybody', new.settings -> 'quiet_hours' is distinct from old.settings -> 'quiet_hours');
  end if;
  perform graphile_worker.add_job(identifier => 'replan-people', payload => payload::json, max_attempts => 8,
    job_key => 'replan:' || payload::text);
  return null;
end $$;
drop trigger replan_after_move on sub_tenants;
create trigger replan_after_move after update of timezone, settings on sub_tenants for each row
  when (old.timezone is distinct from new.timezone
    or old.settings -> 'quiet_hours' is distinct from new.settings -> 'quiet_hours')
  execute function replan_after_move();
