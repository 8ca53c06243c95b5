-- Who the customers are, their sub-tenants, how their people sign in, and what their clocks show.

-- Sign-in configuration; a tenant points at one. Global: it is looked up before anyone is known.
create table pools (
  id text primary key check (id ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
  name text not null,
  kind text not null check (kind in ('embedded', 'cognito', 'oidc')),
  login_mode text not null default 'screens' check (login_mode in ('screens', 'redirect')),
  issuer text not null,
  client_id text not null,
  client_secret_sealed text,
  is_default boolean not null default false,
  settings jsonb not null default '{}',
  created_on timestamptz not null default now()
);
create unique index pools_one_default on pools (is_default) where is_default;
grant select on pools to liftwell_app, liftwell_worker;
grant insert, update on pools to liftwell_app;
grant select on pools to liftwell_lookup;

create table tenants (
  id uuid primary key default gen_random_uuid(),
  name citext not null check (length(name) between 1 and 120),
  industry text check (length(industry) <= 120),
  customer_type text not null default 'Single Tenant' check (customer_type in ('Single Tenant', 'Multi Tenant')),
  status text not null default 'active' check (status in ('active', 'inactive')),
  timezone text not null default 'UTC',
  plan text check (length(plan) <= 60),
  llj_categories text[] not null default '{}',
  logo_file_id uuid,
  pool_id text not null references pools (id),
  settings jsonb not null default '{}',
  -- The company that runs the platform: home of the super admins, in no list of customers.
  is_operator boolean not null default false,
  -- The one tenant whose Testing area is open.
  is_testing boolean not null default false,
  deleted_on timestamptz,
  created_on timestamptz not null default now(),
  updated_on timestamptz not null default now(),
  lock_version integer not null default 0,
  -- The clock of the testing tenant can be set forward; every other tenant has the clock of the machine.
  clock_ahead_ms bigint not null default 0 check (clock_ahead_ms >= 0),
  -- Where the clock is on its way to, and since when; null while it runs as every other.
  clock_move jsonb,
  -- One more with every move: a form that is sent twice moves the clock once.
  clock_version integer not null default 0,
  constraint tenants_clock_of_testing check (is_testing or (clock_ahead_ms = 0 and clock_move is null))
);
-- A deleted tenant gives its name free.
create unique index tenants_name on tenants (name) where deleted_on is null;
create unique index tenants_one_operator on tenants (is_operator) where is_operator;
create unique index tenants_one_testing on tenants (is_testing) where is_testing;
create index tenants_by_date on tenants (created_on desc, id desc);
create index tenants_search on tenants using gin (search_text(name::text) gin_trgm_ops);
alter table tenants enable row level security;
alter table tenants force row level security;
create policy scope_select on tenants for select using (id = scope_tenant() or scope_is_operator());
create policy scope_insert on tenants for insert with check (scope_is_operator());
create policy scope_update on tenants for update using (id = scope_tenant() or scope_is_operator())
  with check (id = scope_tenant() or scope_is_operator());
create policy scope_delete on tenants for delete using (scope_is_operator());
grant select, insert, update, delete on tenants to liftwell_app;
grant select on tenants to liftwell_worker;
grant select on tenants to liftwell_lookup;
create policy lookup_reads on tenants for select to liftwell_lookup using (true);
select grant_writing('tenants', 'liftwell_app', '{is_operator,clock_ahead_ms,clock_move,clock_version}');
grant update (clock_ahead_ms, clock_move, clock_version) on tenants to liftwell_app, liftwell_worker;

-- A sub-tenant whose quiet hours change is planned again for everybody, with or without a time zone of their own.
create function replan_after_move() returns trigger language plpgsql security definer
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
create trigger replan_after_move after update of timezone, settings on tenants for each row
  when (old.timezone is distinct from new.timezone
    or old.settings -> 'quiet_hours' is distinct from new.settings -> 'quiet_hours')
  execute function replan_after_move();

create table sub_tenants (
  tenant_id uuid not null references tenants (id),
  id uuid not null default gen_random_uuid(),
  name citext not null check (length(name) between 1 and 120),
  status text not null default 'active' check (status in ('active', 'inactive')),
  timezone text,
  categories text[] not null default '{}',
  logo_file_id uuid,
  settings jsonb not null default '{}',
  deleted_on timestamptz,
  created_on timestamptz not null default now(),
  updated_on timestamptz not null default now(),
  lock_version integer not null default 0,
  primary key (tenant_id, id)
);
create unique index sub_tenants_name on sub_tenants (tenant_id, name) where deleted_on is null;
create index sub_tenants_by_date on sub_tenants (tenant_id, created_on desc, id desc);
create index sub_tenants_search on sub_tenants using gin (tenant_id, search_text(name::text) gin_trgm_ops);
alter table sub_tenants enable row level security;
alter table sub_tenants force row level security;
create policy scope_select on sub_tenants for select using (
  scope_is_operator() or (tenant_id = scope_tenant() and (scope_sub_tenant() is null or id = scope_sub_tenant())));
create policy scope_insert on sub_tenants for insert with check (
  scope_is_operator() or (tenant_id = scope_tenant() and scope_sub_tenant() is null));
create policy scope_update on sub_tenants for update using (
  scope_is_operator() or (tenant_id = scope_tenant() and (scope_sub_tenant() is null or id = scope_sub_tenant())))
  with check (
  scope_is_operator() or (tenant_id = scope_tenant() and (scope_sub_tenant() is null or id = scope_sub_tenant())));
create policy scope_delete on sub_tenants for delete using (
  scope_is_operator() or (tenant_id = scope_tenant() and scope_sub_tenant() is null));
grant select, insert, update, delete on sub_tenants to liftwell_app;
grant select on sub_tenants to liftwell_worker;
grant select on sub_tenants to liftwell_lookup;
create policy lookup_reads on sub_tenants for select to liftwell_lookup using (true);

create trigger replan_after_move after update of timezone, settings on sub_tenants for each row
  when (old.timezone is distinct from new.timezone
    or old.settings -> 'quiet_hours' is distinct from new.settings -> 'quiet_hours')
  execute function replan_after_move();

-- Names stand in the order of their letters wherever they are sorted: Çelik between Berg and Dane, not after Zhou.
-- A server without ICU keeps the order of code points.
do $$ begin
  if exists (select from pg_collation where collname = 'und-x-icu') then
    alter table tenants alter column name type citext collate "und-x-icu";
    alter table sub_tenants alter column name type citext collate "und-x-icu";
  end if;
end $$;

-- Whose people have addresses of a domain: they sign in there, and in no other company.
create table email_domains (
  tenant_id uuid not null references tenants (id),
  domain citext not null check (length(domain) between 3 and 253),
  created_on timestamptz not null default now(),
  primary key (tenant_id, domain)
);
create unique index email_domains_domain on email_domains (domain);
select protect('email_domains');
grant select on email_domains to liftwell_lookup;
create policy lookup_reads on email_domains for select to liftwell_lookup using (true);

create function tenant_of_domain(address citext) returns uuid language sql stable
  security definer set search_path = public, pg_temp as $$
  select tenant_id from email_domains where domain = substring(address::text from '[^@]*$')::citext
$$;

-- Why a provider elsewhere signed nobody in: the newest of each company, for those who configure it.
create table refused_sign_ins (
  tenant_id uuid not null references tenants (id),
  id bigint generated always as identity,
  reason text not null check (length(reason) between 1 and 400),
  -- The line of the log.
  request_id text not null,
  created_on timestamptz not null default now(),
  primary key (tenant_id, id)
);
select protect('refused_sign_ins');

-- The testing tenant, and how far its clock is ahead.
create function testing_clock(out tenant uuid, out ahead interval) language sql stable
  security definer set search_path = public, pg_temp as $$
  select t.id, t.clock_ahead_ms * interval '1 millisecond' from tenants t where t.is_testing
$$;

create function clock_ahead_ms(tenant uuid) returns bigint language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
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

-- Functions that look past the policies belong to a role that can do nothing else; it may create only here.
grant create on schema public to liftwell_lookup;
alter function tenant_of_domain(citext) owner to liftwell_lookup;
alter function testing_clock() owner to liftwell_lookup;
alter function clock_ahead_ms(uuid) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function
  tenant_of_domain(citext),
  testing_clock(),
  clock_ahead_ms(uuid),
  tenant_now(uuid),
  latest_now(),
  replan_after_move()
  from public;
grant execute on function
  tenant_of_domain(citext),
  testing_clock(),
  clock_ahead_ms(uuid),
  tenant_now(uuid),
  latest_now()
  to liftwell_app, liftwell_worker, liftwell_lookup;
