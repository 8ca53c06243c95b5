-- Who the customers are, who their people are, and the wall between them.
-- Every table with tenant_id forces row-level security: with no scope set, a query sees nothing.

create extension if not exists citext;
create extension if not exists pg_trgm;

-- The scope of the running transaction, set by app/domain/scope.server.ts and nowhere else.
create function scope_tenant() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.tenant_id', true), '')::uuid $$;
create function scope_sub_tenant() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.sub_tenant_id', true), '')::uuid $$;
create function scope_is_operator() returns boolean language sql stable parallel safe
  as $$ select coalesce(current_setting('app.operator', true), '') = 'on' $$;

-- Puts a tenant table behind the wall: forced policies for all four commands. `sub_scoped` tables
-- have a sub_tenant_id and show, inside a sub-tenant, only that sub-tenant's rows.
create function protect(target regclass, sub_scoped boolean default false) returns void language plpgsql as $$
declare
  rule text := 'tenant_id = scope_tenant()';
begin
  if sub_scoped then
    rule := rule || ' and (scope_sub_tenant() is null or sub_tenant_id = scope_sub_tenant())';
  end if;
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy scope_select on %s for select using (%s)', target, rule);
  execute format('create policy scope_insert on %s for insert with check (%s)', target, rule);
  execute format('create policy scope_update on %s for update using (%s) with check (%s)', target, rule, rule);
  execute format('create policy scope_delete on %s for delete using (%s)', target, rule);
  execute format('grant select, insert, update, delete on %s to liftwell_app, liftwell_worker', target);
end $$;

-- The same for a table whose rows belong to a row of another one: inside a sub-tenant it shows what its
-- parent shows there.
create function protect_through(target regclass, parent regclass, parent_key text) returns void language plpgsql as $$
declare
  rule text := format('tenant_id = scope_tenant() and (scope_sub_tenant() is null or exists (
    select from %s parent where parent.tenant_id = scope_tenant() and parent.id = %I))', parent, parent_key);
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy scope_select on %s for select using (%s)', target, rule);
  execute format('create policy scope_insert on %s for insert with check (%s)', target, rule);
  execute format('create policy scope_update on %s for update using (%s) with check (%s)', target, rule, rule);
  execute format('create policy scope_delete on %s for delete using (%s)', target, rule);
  execute format('grant select, insert, update, delete on %s to liftwell_app, liftwell_worker', target);
end $$;

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
  lock_version integer not null default 0
);
-- A deleted tenant gives its name free.
create unique index tenants_name on tenants (name) where deleted_on is null;
create unique index tenants_one_operator on tenants (is_operator) where is_operator;
create unique index tenants_one_testing on tenants (is_testing) where is_testing;
create index tenants_by_date on tenants (created_on desc, id desc);
create index tenants_name_trgm on tenants using gin ((name::text) gin_trgm_ops);
alter table tenants enable row level security;
alter table tenants force row level security;
create policy scope_select on tenants for select using (id = scope_tenant() or scope_is_operator());
create policy scope_insert on tenants for insert with check (scope_is_operator());
create policy scope_update on tenants for update using (id = scope_tenant() or scope_is_operator())
  with check (id = scope_tenant() or scope_is_operator());
create policy scope_delete on tenants for delete using (scope_is_operator());
grant select, insert, update, delete on tenants to liftwell_app;
grant select on tenants to liftwell_worker;
grant select on pools to liftwell_app, liftwell_worker;
grant insert, update on pools to liftwell_app;

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

create table users (
  tenant_id uuid not null references tenants (id),
  id bigint not null generated always as identity,
  email citext not null check (length(email) between 3 and 254),
  first_name text not null default '' check (length(first_name) <= 80),
  last_name text not null default '' check (length(last_name) <= 80),
  mobile_phone text check (mobile_phone ~ '^\+[1-9][0-9]{6,14}$'),
  job_title text check (length(job_title) <= 120),
  timezone text,
  activation_status text not null default 'invited' check (activation_status in ('invited', 'active', 'disabled')),
  is_super_admin boolean not null default false,
  sms_opt_in boolean not null default false,
  accepted_terms_on timestamptz,
  accepted_terms_version text,
  last_seen_on timestamptz,
  created_on timestamptz not null default now(),
  updated_on timestamptz not null default now(),
  lock_version integer not null default 0,
  primary key (tenant_id, id)
);
-- An address finds its pool before the tenant is known, so it is taken once on the whole platform.
create unique index users_email on users (email);
create index users_by_date on users (tenant_id, created_on desc, id desc);
create index users_by_name on users (tenant_id, last_name, first_name, id);
create index users_search on users using gin ((first_name || ' ' || last_name || ' ' || email::text) gin_trgm_ops);

create table user_general_roles (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  user_id bigint not null,
  role text not null check (role in ('admin', 'author', 'user')),
  sub_tenant_id uuid,
  created_on timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  foreign key (tenant_id, sub_tenant_id) references sub_tenants (tenant_id, id)
);
create unique index user_general_roles_once on user_general_roles (tenant_id, user_id, role, sub_tenant_id) nulls not distinct;
create index user_general_roles_by_sub on user_general_roles (tenant_id, sub_tenant_id, user_id);
select protect('user_general_roles', true);

-- A person of another sub-tenant does not exist for a sub-tenant's scope.
alter table users enable row level security;
alter table users force row level security;
create function scope_shows_user(person bigint) returns boolean language sql stable
  as $$ select scope_sub_tenant() is null or exists (
    select from user_general_roles r where r.tenant_id = scope_tenant() and r.user_id = person
      and r.sub_tenant_id = scope_sub_tenant()) or person = nullif(current_setting('app.user_id', true), '')::bigint $$;
create policy scope_select on users for select using (tenant_id = scope_tenant() and scope_shows_user(id));
create policy scope_insert on users for insert with check (tenant_id = scope_tenant());
create policy scope_update on users for update using (tenant_id = scope_tenant() and scope_shows_user(id))
  with check (tenant_id = scope_tenant());
create policy scope_delete on users for delete using (tenant_id = scope_tenant() and scope_shows_user(id));
grant select, insert, update, delete on users to liftwell_app;
grant select, update on users to liftwell_worker;

-- The (issuer, sub) of the provider that knows the person; never the e-mail address.
create table user_identities (
  tenant_id uuid not null,
  user_id bigint not null,
  issuer text not null,
  subject text not null,
  created_on timestamptz not null default now(),
  primary key (tenant_id, user_id, issuer),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create unique index user_identities_subject on user_identities (issuer, subject);
select protect('user_identities');

create table sessions (
  tenant_id uuid not null,
  id_hash bytea not null,
  user_id bigint not null,
  pool_id text not null references pools (id),
  tokens_sealed text not null,
  access_expires_at timestamptz not null,
  refreshed_at timestamptz not null default now(),
  remember boolean not null default false,
  impersonated_tenant_id uuid references tenants (id),
  impersonation_reason text,
  impersonation_ends_at timestamptz,
  sub_tenant_id uuid,
  user_agent text,
  created_on timestamptz not null default now(),
  last_seen_on timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant_id, id_hash),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create unique index sessions_id on sessions (id_hash);
create index sessions_of_user on sessions (tenant_id, user_id);
select protect('sessions');

-- A sign-in that has not come back yet, keyed by the state it left with.
create table sign_in_attempts (
  state text primary key,
  pool_id text not null references pools (id),
  redirect_to text not null,
  remember boolean not null default false,
  code_verifier text not null,
  nonce text not null,
  created_on timestamptz not null default now(),
  expires_at timestamptz not null
);
grant select, insert, update, delete on sign_in_attempts to liftwell_app;

create table idempotency_keys (
  tenant_id uuid not null,
  user_id bigint not null,
  key text not null check (length(key) between 1 and 200),
  request_hash bytea not null,
  status integer,
  body text,
  created_on timestamptz not null default now(),
  primary key (tenant_id, user_id, key)
);
select protect('idempotency_keys');

create table files (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  sub_tenant_id uuid,
  kind text not null check (kind in ('logo', 'image', 'media', 'file')),
  content_type text not null,
  file_name text not null,
  size integer not null,
  sha256 bytea not null,
  bytes bytea not null,
  created_on timestamptz not null default now(),
  primary key (tenant_id, id)
);
select protect('files');

create table audit_events (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  at timestamptz not null default now(),
  actor_id bigint,
  actor_email text,
  -- Set while a super admin acts inside this tenant: the tenant acted for.
  on_behalf_of uuid,
  sub_tenant_id uuid,
  action text not null,
  subject_type text not null,
  subject_id text,
  changes jsonb not null default '{}',
  primary key (tenant_id, id)
);
create index audit_events_by_time on audit_events (tenant_id, at desc, id desc);
select protect('audit_events');
revoke update, delete on audit_events from liftwell_app, liftwell_worker;

create table notifications (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  user_id bigint not null,
  notification_type text not null check (notification_type in ('warning', 'success', 'launch', 'info')),
  content jsonb not null,
  has_read boolean not null default false,
  created_on timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index notifications_of_user on notifications (tenant_id, user_id, created_on desc, id desc);
select protect('notifications');

-- Looked up before anyone is known. The functions below belong to a role that can do nothing else.
grant select on users, user_general_roles, user_identities, sessions, tenants, sub_tenants, pools to liftwell_lookup;
create policy lookup_reads on users for select to liftwell_lookup using (true);
create policy lookup_reads on user_general_roles for select to liftwell_lookup using (true);
create policy lookup_reads on user_identities for select to liftwell_lookup using (true);
create policy lookup_reads on sessions for select to liftwell_lookup using (true);
create policy lookup_reads on tenants for select to liftwell_lookup using (true);
create policy lookup_reads on sub_tenants for select to liftwell_lookup using (true);

create type principal_row as (
  user_id bigint, tenant_id uuid, email text, first_name text, last_name text, activation_status text,
  is_super_admin boolean, accepted_terms_on timestamptz, tenant_status text, pool_id text, roles jsonb
);

create function principal_of(person bigint) returns setof principal_row language sql stable
  security definer set search_path = public, pg_temp as $$
  select u.id, u.tenant_id, u.email::text, u.first_name, u.last_name, u.activation_status, u.is_super_admin,
    u.accepted_terms_on, case when t.deleted_on is null then t.status else 'inactive' end, t.pool_id,
    coalesce((select jsonb_agg(jsonb_build_object('role', r.role, 'tenant_id', r.tenant_id, 'sub_tenant_id', r.sub_tenant_id) order by r.id)
      from user_general_roles r where r.tenant_id = u.tenant_id and r.user_id = u.id), '[]')
  from users u join tenants t on t.id = u.tenant_id where u.id = person
$$;

create function find_principal(its_issuer text, its_subject text) returns setof principal_row language sql stable
  security definer set search_path = public, pg_temp as $$
  select p.* from user_identities i, principal_of(i.user_id) p where i.issuer = its_issuer and i.subject = its_subject
$$;

-- Session, person, roles and tenant in one query.
create function find_session(hash bytea) returns table (
  principal principal_row, session_pool_id text, tokens_sealed text, access_expires_at timestamptz, refreshed_at timestamptz,
  remember boolean, impersonated_tenant_id uuid, impersonated_status text, impersonation_ends_at timestamptz,
  sub_tenant_id uuid, sub_tenant_status text, last_seen_on timestamptz, expires_at timestamptz
) language sql stable security definer set search_path = public, pg_temp as $$
  select p, s.pool_id, s.tokens_sealed, s.access_expires_at, s.refreshed_at, s.remember, s.impersonated_tenant_id,
    (select case when t.deleted_on is null then t.status else 'inactive' end from tenants t where t.id = s.impersonated_tenant_id),
    s.impersonation_ends_at, s.sub_tenant_id,
    (select st.status from sub_tenants st where st.id = s.sub_tenant_id
       and st.tenant_id = coalesce(s.impersonated_tenant_id, s.tenant_id)),
    s.last_seen_on, s.expires_at
  from sessions s, principal_of(s.user_id) p where s.id_hash = hash and s.expires_at > now()
$$;

create function find_pool(address citext) returns setof pools language sql stable
  security definer set search_path = public, pg_temp as $$
  select pools.* from pools where id = coalesce(
    (select t.pool_id from users u join tenants t on t.id = u.tenant_id where u.email = address),
    (select id from pools where is_default))
$$;

create function is_email_taken(address citext) returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select exists (select from users where email = address)
$$;

-- Whoever is to own a function needs CREATE where it lives; it keeps it no longer than that.
grant usage, create on schema public to liftwell_lookup;
alter function principal_of(bigint) owner to liftwell_lookup;
alter function find_principal(text, text) owner to liftwell_lookup;
alter function find_session(bytea) owner to liftwell_lookup;
alter function find_pool(citext) owner to liftwell_lookup;
alter function is_email_taken(citext) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function principal_of(bigint), find_principal(text, text), find_session(bytea), find_pool(citext), is_email_taken(citext) from public;
grant execute on function find_principal(text, text), find_session(bytea), find_pool(citext), is_email_taken(citext) to liftwell_app;
grant execute on function principal_of(bigint) to liftwell_lookup;
