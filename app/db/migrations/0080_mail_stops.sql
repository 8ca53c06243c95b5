-- E-mails that somebody does not want, and addresses of which a carrier said that they take none.

-- Of one journey, or without one of all. Only lifts, reminders and what sponsors say ends: sign-in goes on.
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

-- What happened to an address; the last of it is what counts.
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

-- A carrier of mails speaks of an address: which companies know it.
grant create on schema public to liftwell_lookup;
create function tenants_of_address(its_address citext) returns setof uuid language sql stable
  security definer set search_path = public, pg_temp as $$
  select distinct u.tenant_id from users u join tenants t on t.id = u.tenant_id
  where u.email = its_address and t.deleted_on is null
$$;
alter function tenants_of_address(citext) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function tenants_of_address(citext) from public;
grant execute on function tenants_of_address(citext) to liftwell_app;
