-- Messages: who may be written to and when, what is handed to carriers, and what comes back.

-- The key of every job begins with its tenant: the queue's own view says so much, and nothing of the payload.
create function enqueue_job(name text, payload jsonb, key text default null, run_at timestamptz default null,
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
    job_key => tenant || ':' || coalesce(key, gen_random_uuid()::text),
    flags => array[coalesce(carrier, 'other')]);
end $$;

-- What a person said about messages to a number; the state of a number is the fold over its events.
create table consent_events (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  number text not null,
  user_id bigint,
  action text not null check (action in ('opt_in', 'opt_out', 'import', 'invalid', 'reassigned')),
  source text not null,
  wording_id text,
  at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create index consent_events_of_number on consent_events (tenant_id, number, at desc, id desc);
select protect('consent_events');
revoke update, delete on consent_events from liftwell_app, liftwell_worker;

-- What people write by text. A reply to a lift's text is its answer, or is told what would be one.
create table inbound_texts (
  tenant_id uuid not null references tenants (id),
  id bigint not null generated always as identity,
  number text not null,
  body text not null check (length(body) <= 1600),
  reading text not null check (reading in ('stop', 'leave', 'start', 'help', 'answer', 'unclear', 'other')),
  -- The carrier's own: a text that is handed in twice is one text.
  key text not null,
  created_on timestamptz not null default scope_now(),
  primary key (tenant_id, id),
  unique (tenant_id, key)
);
create index inbound_texts_of_number on inbound_texts (tenant_id, number, id);
select protect('inbound_texts');

-- E-mails that somebody does not want: of one journey, or without one of all. Only lifts, reminders and what sponsors say ends: sign-in goes on.
create table mail_stops (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  user_id bigint not null,
  journey_id bigint,
  source text not null check (source in ('link', 'one_click', 'profile')),
  created_on timestamptz not null default now(),
  primary key (tenant_id, id),
  unique nulls not distinct (tenant_id, user_id, journey_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade
);
create index mail_stops_of_journey on mail_stops (tenant_id, journey_id) where journey_id is not null;
select protect('mail_stops');

-- What happened to an address, of which a carrier may have said that it takes none; the last of it is what counts.
create table address_events (
  tenant_id uuid not null references tenants (id),
  id bigint not null generated always as identity,
  address citext not null,
  kind text not null check (kind in ('bounced', 'complained', 'tried_again')),
  -- The carrier's own: what is told twice happened once.
  key text,
  at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, key)
);
create index address_events_of_address on address_events (tenant_id, address, id desc);
select protect('address_events');

create function mail_is_stopped(of_tenant uuid, of_user bigint, of_journey bigint, its_address citext) returns boolean
language sql stable as $$
  select exists (select from mail_stops s where s.tenant_id = of_tenant and s.user_id = of_user
      and (s.journey_id is null or s.journey_id = of_journey))
    or coalesce((select e.kind <> 'tried_again' from address_events e
      where e.tenant_id = of_tenant and e.address = its_address order by e.id desc limit 1), false)
$$;

-- The hours in which messages rest, as the program has them (domain/hours/quiet-hours.ts).
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

-- As the program has it (domain/hours/quiet-hours.ts): the longer rest counts, and where the two together leave
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

-- The send table: planned -> claimed (lease) -> sending -> accepted -> delivered. `sending` is
-- committed before the carrier is called; a crash there becomes `unknown` and is never blindly repeated.
create table dispatches (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  occurrence_id bigint not null,
  kind text not null check (kind in ('lift', 'reminder', 'resend', 'test')),
  seq integer not null default 1,
  channel text not null check (channel in ('sms', 'email', 'in_app')),
  state text not null default 'planned' check (state in ('planned', 'claimed', 'sending', 'accepted', 'delivered', 'failed', 'undelivered', 'unknown', 'suppressed', 'expired')),
  due_at timestamptz not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  lease_owner text,
  lease_until timestamptz,
  address text,
  provider_id text,
  error_code text,
  segments integer,
  sent_at timestamptz,
  accepted_at timestamptz,
  delivered_at timestamptz,
  created_on timestamptz not null default scope_now(),
  -- Messages of which nobody knows whether they arrived: since when, what is sent in their place, and how many.
  unknown_since timestamptz,
  -- The first message of the chain that this one repeats.
  resend_of bigint,
  -- Who had it when it left: only there can be asked what became of it. Null where nothing left the building.
  carrier text,
  primary key (tenant_id, id),
  unique (tenant_id, occurrence_id, kind, seq, channel),
  foreign key (tenant_id, occurrence_id) references occurrences (tenant_id, id) on delete cascade,
  foreign key (tenant_id, resend_of) references dispatches (tenant_id, id)
);
create index dispatches_sent on dispatches (tenant_id, sent_at) where sent_at is not null;
create index dispatches_of_address on dispatches (tenant_id, address, sent_at) where sent_at is not null;
create index dispatches_due on dispatches (channel, next_attempt_at) where state = 'planned';
create index dispatches_of_tenant_due on dispatches (channel, tenant_id, next_attempt_at, id) where state = 'planned';
create index dispatches_leased on dispatches (lease_until) where state in ('claimed', 'sending');
create index dispatches_to_look_up on dispatches (next_attempt_at) where state = 'unknown';
create index dispatches_unknown on dispatches (tenant_id, unknown_since, id) where state = 'unknown';
create index dispatches_resend on dispatches (tenant_id, resend_of) where resend_of is not null;
select protect_through('dispatches', 'occurrences', 'occurrence_id');
-- The worker claims for every tenant at once; all it does with a claim happens inside that tenant's scope.
create policy worker_claims on dispatches for select to liftwell_worker using (scope_tenant() is null);
create policy worker_leases on dispatches for update to liftwell_worker using (scope_tenant() is null) with check (scope_tenant() is null);

-- The hours are those of the journey's place, as its clock is for people without one.
create function refuse_dispatch() returns trigger language plpgsql as $$
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
create trigger refuse_dispatch before update of state on dispatches for each row
  when (new.state = 'sending' and old.state <> 'sending') execute function refuse_dispatch();

create function mark_unknown() returns trigger language plpgsql as $$
begin
  new.unknown_since := now();
  return new;
end $$;
create trigger mark_unknown before update of state on dispatches for each row
  when (new.state = 'unknown' and old.state <> 'unknown') execute function mark_unknown();

-- The wall against a message twice, for those that are sent again: of a message and all that repeat it at most one
-- has left, or may have.
create function refuse_resend() returns trigger language plpgsql as $$
begin
  if exists (select from dispatches d where d.tenant_id = new.tenant_id and d.occurrence_id = new.occurrence_id
      and d.id <> new.id and coalesce(d.resend_of, d.id) = coalesce(new.resend_of, new.id)
      and d.state in ('sending', 'unknown', 'accepted', 'delivered')) then
    raise exception 'dispatch % repeats a message that may have arrived', new.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger refuse_resend before update of state on dispatches for each row
  when (new.state = 'sending' and old.state <> 'sending') execute function refuse_resend();

-- E-mails that somebody stopped, and addresses that take none, are refused here as well.
create function refuse_stopped_dispatch() returns trigger language plpgsql as $$
begin
  if exists (select from occurrences o join members m on m.tenant_id = o.tenant_id and m.id = o.member_id
      where o.tenant_id = new.tenant_id and o.id = new.occurrence_id
        and mail_is_stopped(new.tenant_id, m.user_id, o.journey_id, new.address::citext)) then
    raise exception 'dispatch % goes to an address that is stopped', new.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger refuse_stopped_dispatch before update of state on dispatches for each row
  when (new.state = 'sending' and old.state <> 'sending' and new.channel = 'email')
  execute function refuse_stopped_dispatch();

-- Where messages go when no carrier is configured; the Testing area shows it.
create table outbox_messages (
  tenant_id uuid not null references tenants (id),
  id bigint not null generated always as identity,
  channel text not null check (channel in ('sms', 'email')),
  recipient text not null,
  subject text,
  body text not null,
  -- The sender's own key: the same key is the same message, however often it is handed over.
  key text not null,
  created_on timestamptz not null default scope_now(),
  primary key (tenant_id, id),
  unique (tenant_id, key)
);
create index outbox_messages_by_date on outbox_messages (tenant_id, created_on desc, id desc);
-- What a number or an address got, the latest first.
create index outbox_messages_of_recipient on outbox_messages (tenant_id, recipient, created_on desc, id desc);
select protect('outbox_messages');

-- Messages that a real carrier took, by the sender's own key: what they said is nowhere kept.
-- What goes out for a journey beside its lifts and reminders is known by its person, so that the company's limits count it.
create table sent_messages (
  tenant_id uuid not null references tenants (id),
  key text not null,
  provider_id text not null,
  created_on timestamptz not null default scope_now(),
  -- Both null: about an account, such as a code; no limit counts it and nothing stops it.
  user_id bigint,
  channel text check (channel in ('sms', 'email')),
  journey_id bigint,
  primary key (tenant_id, key),
  check ((user_id is null) = (channel is null)),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete set null (journey_id)
);
create index sent_messages_by_date on sent_messages (tenant_id, created_on);
create index sent_messages_of_journeys on sent_messages (tenant_id, created_on) where user_id is not null;
create index sent_messages_of_user on sent_messages (tenant_id, user_id) where user_id is not null;
create index sent_messages_of_journey on sent_messages (tenant_id, journey_id) where journey_id is not null;
select protect('sent_messages');

create function refuse_stopped_message() returns trigger language plpgsql as $$
begin
  if mail_is_stopped(new.tenant_id, new.user_id, new.journey_id,
      (select u.email from users u where u.tenant_id = new.tenant_id and u.id = new.user_id)) then
    raise exception 'message % goes to an address that is stopped', new.key using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger refuse_stopped_message before insert on sent_messages for each row
  when (new.channel = 'email') execute function refuse_stopped_message();

-- Links in messages that sign their learner in once. Nobody makes one from what is kept here.
create table sign_in_links (
  tenant_id uuid not null,
  -- The message that carries it.
  dispatch_id bigint not null,
  user_id bigint not null,
  token_hash bytea not null,
  created_on timestamptz not null default now(),
  expires_on timestamptz not null,
  used_on timestamptz,
  primary key (tenant_id, dispatch_id),
  foreign key (tenant_id, dispatch_id) references dispatches (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create unique index sign_in_links_token on sign_in_links (token_hash);
create index sign_in_links_of_user on sign_in_links (tenant_id, user_id, expires_on);
select protect('sign_in_links');
grant select on sign_in_links to liftwell_lookup;
create policy lookup_reads on sign_in_links for select to liftwell_lookup using (true);

-- A link that somebody opens: its person as they are now.
create function find_sign_in_link(hash bytea) returns table (
  person principal_row, dispatch_id bigint, expires_on timestamptz, used_on timestamptz
) language sql stable security definer set search_path = public, pg_temp as $$
  select p, l.dispatch_id, l.expires_on, l.used_on
  from sign_in_links l, principal_of(l.user_id) p where l.token_hash = hash and p.tenant_id = l.tenant_id
$$;

-- Functions that look past the policies belong to a role that can do nothing else; it may create only here.
grant create on schema public to liftwell_lookup;
alter function find_sign_in_link(bytea) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function
  find_sign_in_link(bytea),
  enqueue_job(text, jsonb, text, timestamptz, text)
  from public;
grant execute on function
  find_sign_in_link(bytea)
  to liftwell_app;
grant execute on function
  enqueue_job(text, jsonb, text, timestamptz, text)
  to liftwell_app, liftwell_worker;
