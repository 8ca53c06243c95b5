-- What people answer by text, a number that goes to somebody else, and the last wall before a message in full.

create table inbound_texts (
  tenant_id uuid not null references tenants (id),
  id bigint not null generated always as identity,
  number text not null,
  body text not null check (length(body) <= 1600),
  reading text not null check (reading in ('stop', 'leave', 'start', 'help', 'other')),
  -- The carrier's own: a text that is handed in twice is one text.
  key text not null,
  created_on timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, key)
);
create index inbound_texts_of_number on inbound_texts (tenant_id, number, id);
select protect('inbound_texts');

-- Consent is given by a person for a number: whoever gets a number that somebody else agreed for has agreed to
-- nothing, and whoever takes up their own again has not changed their mind.
create function follow_number() returns trigger language plpgsql as $$
declare
  said record;
begin
  if tg_op = 'UPDATE' then
    if new.mobile_phone is not distinct from old.mobile_phone then
      new.sms_opt_in := old.sms_opt_in;
      return new;
    end if;
    new.sms_opt_in := false;
  end if;
  if new.mobile_phone is null then return new; end if;
  select e.action, e.user_id into said from consent_events e
    where e.tenant_id = new.tenant_id and e.number = new.mobile_phone and e.action <> 'import'
    order by e.at desc, e.id desc limit 1;
  if said.action = 'opt_in' and said.user_id is not distinct from new.id then
    new.sms_opt_in := true;
  elsif said.action = 'opt_in' then
    insert into consent_events (tenant_id, number, action, source)
      values (new.tenant_id, new.mobile_phone, 'reassigned', 'number');
  end if;
  return new;
end $$;
create trigger follow_number before insert or update of mobile_phone on users
  for each row execute function follow_number();

-- The hours in which messages rest, as the program has them (domain/schedules/quiet-hours.ts).
create function quiet_hours_of(settings jsonb, is_zone_known boolean, out quiet_from time, out quiet_to time)
language plpgsql immutable as $$
declare
  own_from text := settings #>> '{quiet_hours,from}';
  own_to text := settings #>> '{quiet_hours,to}';
begin
  quiet_from := case when is_zone_known then '20:00' else '19:00' end;
  quiet_to := case when is_zone_known then '09:00' else '11:00' end;
  if own_from ~ '^([01]\d|2[0-3]):[0-5]\d$' and own_to ~ '^([01]\d|2[0-3]):[0-5]\d$' and own_from > own_to then
    quiet_from := least(own_from::time, case when is_zone_known then '21:00'::time else quiet_from end);
    quiet_to := greatest(own_to::time, case when is_zone_known then '08:00'::time else quiet_to end);
  end if;
end $$;

-- The last wall: whatever the program believes, nobody who said no gets a text, nobody is texted in their quiet hours,
-- and what a carrier has taken, or may have, is handed over by no other way either.
create or replace function refuse_dispatch() returns trigger language plpgsql as $$
declare
  said text;
  clock time;
  is_known boolean;
  settings jsonb;
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
      coalesce(u.timezone, s.timezone) is not null, t.settings into clock, is_known, settings
    from occurrences o
      join members m on m.tenant_id = o.tenant_id and m.id = o.member_id
      join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
      join journeys j on j.tenant_id = o.tenant_id and j.id = o.journey_id
      join tenants t on t.id = o.tenant_id
      left join sub_tenants s on s.tenant_id = j.tenant_id and s.id = j.sub_tenant_id
    where o.tenant_id = new.tenant_id and o.id = new.occurrence_id;
  select * into quiet from quiet_hours_of(settings, is_known);
  if clock >= quiet.quiet_from or clock < quiet.quiet_to then
    raise exception 'dispatch % would arrive in quiet hours', new.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
