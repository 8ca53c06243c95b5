-- People: their roles, the accounts and sessions that they come with, and what is kept about what they do.

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
  -- Types of notifications that a person has switched off.
  muted_notifications text[] not null default '{}' check (muted_notifications <@ array['success', 'launch', 'info']),
  -- When the person has shown that the number on file is theirs.
  phone_verified_on timestamptz,
  -- When what was known of the person was taken out of the platform.
  erased_on timestamptz,
  primary key (tenant_id, id)
);
-- An address finds its pool before the tenant is known, so it is taken once on the whole platform.
create unique index users_email on users (email);
create index users_by_date on users (tenant_id, created_on desc, id desc);
create index users_by_name on users (tenant_id, last_name, first_name, id);
create index users_search on users using gin ((first_name || ' ' || last_name || ' ' || email::text) gin_trgm_ops);
-- A few people are disabled; who of them takes part is asked of them, not of everybody.
create index users_disabled on users (tenant_id, id) where activation_status = 'disabled';
alter table users enable row level security;
alter table users force row level security;
grant select, insert, update, delete on users to liftwell_app;
grant select, update on users to liftwell_worker;
grant insert on users to liftwell_worker;
grant select on users to liftwell_lookup;
create policy lookup_reads on users for select to liftwell_lookup using (true);
select grant_writing('users', 'liftwell_app', '{is_super_admin}');
select grant_writing('users', 'liftwell_worker', '{is_super_admin}');

-- An account that is disabled, in any way, loses its sessions: enabled again, it begins from the start.
create function end_sessions_of_user() returns trigger language plpgsql as $$
begin
  insert into ended_sessions (tenant_id, id_hash, user_id, expires_at)
    select tenant_id, id_hash, user_id, expires_at from sessions where tenant_id = new.tenant_id and user_id = new.id
    on conflict do nothing;
  delete from sessions where tenant_id = new.tenant_id and user_id = new.id;
  update user_identities set valid_after = now() where tenant_id = new.tenant_id and user_id = new.id;
  return null;
end $$;
create trigger disabled_user_is_out after update of activation_status on users for each row
  when (new.activation_status = 'disabled' and old.activation_status <> 'disabled')
  execute function end_sessions_of_user();
create trigger replan_after_move after update of timezone on users for each row
  when (old.timezone is distinct from new.timezone) execute function replan_after_move();

-- Consent is given by a person for a number: a person who gets a number that somebody else agreed for has agreed
-- to nothing, and one who takes up their own again has not changed their mind.
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

-- A person who was erased never comes back: no account, no role, no journey, no name.
create function keep_erased() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - '{updated_on,lock_version}'::text[]) <> (to_jsonb(old) - '{updated_on,lock_version}'::text[]) then
    raise exception 'An erased person stays as they are' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_erased before update on users for each row
  when (old.erased_on is not null) execute function keep_erased();

create function keep_domains_apart() returns trigger language plpgsql as $$
begin
  if tenant_of_domain(new.email) <> new.tenant_id then
    raise unique_violation using constraint = 'users_email_domain',
      message = 'The domain of this address belongs to another company';
  end if;
  return new;
end $$;
create trigger keep_domains_apart before insert or update of email on users for each row
  execute function keep_domains_apart();

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
grant select on user_general_roles to liftwell_lookup;
create policy lookup_reads on user_general_roles for select to liftwell_lookup using (true);

create function refuse_erased() returns trigger language plpgsql as $$
begin
  if exists (select from users u where u.tenant_id = new.tenant_id and u.id = new.user_id and u.erased_on is not null) then
    raise exception 'An erased person takes part in nothing' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger refuse_erased before insert on user_general_roles for each row execute function refuse_erased();

create function scope_shows_user(person bigint) returns boolean language sql stable
  as $$ select scope_sub_tenant() is null or exists (
    select from user_general_roles r where r.tenant_id = scope_tenant() and r.user_id = person
      and r.sub_tenant_id = scope_sub_tenant()) or person = nullif(current_setting('app.user_id', true), '')::bigint $$;

-- A person of another sub-tenant does not exist for a sub-tenant's scope. Outside a sub-tenant everybody of the tenant is
-- shown: said in the policy itself it costs nothing, in a function it is a call for each of the tenant's people.
create policy scope_select on users for select using (tenant_id = scope_tenant()
  and (scope_sub_tenant() is null or scope_shows_user(id)));
create policy scope_insert on users for insert with check (tenant_id = scope_tenant());
create policy scope_update on users for update using (tenant_id = scope_tenant()
  and (scope_sub_tenant() is null or scope_shows_user(id))) with check (tenant_id = scope_tenant());
create policy scope_delete on users for delete using (tenant_id = scope_tenant()
  and (scope_sub_tenant() is null or scope_shows_user(id)));

-- The (issuer, sub) of the provider that knows the person; never the e-mail address.
create table user_identities (
  tenant_id uuid not null,
  user_id bigint not null,
  issuer text not null,
  subject text not null,
  created_on timestamptz not null default now(),
  -- Tokens of this identity that were issued before are worth nothing.
  valid_after timestamptz not null default 'epoch',
  primary key (tenant_id, user_id, issuer),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create unique index user_identities_subject on user_identities (issuer, subject);
select protect('user_identities');
grant select on user_identities to liftwell_lookup;
create policy lookup_reads on user_identities for select to liftwell_lookup using (true);

create trigger refuse_erased before insert on user_identities for each row execute function refuse_erased();

-- Access tokens of sessions that ended before the token did, by hash. Global: a token is checked before
-- anyone is known. A row is worth keeping only until the token would have expired by itself.
create table ended_tokens (
  token_hash bytea primary key,
  expires_at timestamptz not null
);
create index ended_tokens_expired on ended_tokens (expires_at);
grant select, insert, delete on ended_tokens to liftwell_app;

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
  -- The access token of a session that ends, by whatever way, is worth nothing from then on.
  token_hash bytea,
  -- The provider's own name for the sign-in: `sid` of the ID token.
  provider_session text,
  primary key (tenant_id, id_hash),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create unique index sessions_id on sessions (id_hash);
create index sessions_of_user on sessions (tenant_id, user_id);
select protect('sessions');
grant select on sessions to liftwell_lookup;
create policy lookup_reads on sessions for select to liftwell_lookup using (true);

create function end_token_of_session() returns trigger language plpgsql as $$
begin
  if old.token_hash is not null and old.access_expires_at > now() then
    insert into ended_tokens (token_hash, expires_at) values (old.token_hash, old.access_expires_at) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger ended_session_has_no_token after delete on sessions for each row execute function end_token_of_session();
create trigger refuse_erased before insert on sessions for each row execute function refuse_erased();

-- A visit to a company ends in its log, whichever way the session ends: logged out, ended from elsewhere, expired,
-- or because its person was disabled.
create function note_end_of_visit() returns trigger language plpgsql as $$
declare
  tenant_before text := coalesce(current_setting('app.tenant_id', true), '');
  part_before text := coalesce(current_setting('app.sub_tenant_id', true), '');
  visitor citext;
begin
  select u.email into visitor from users u where u.tenant_id = old.tenant_id and u.id = old.user_id;
  perform set_config('app.tenant_id', old.impersonated_tenant_id::text, true),
    set_config('app.sub_tenant_id', '', true);
  insert into audit_events
      (tenant_id, actor_id, actor_email, on_behalf_of, action, subject_type, subject_id, changes)
    values (old.impersonated_tenant_id, old.user_id, visitor, old.impersonated_tenant_id, 'impersonation.ended',
      'tenant', old.impersonated_tenant_id::text, '{"with_the_session": true}');
  perform set_config('app.tenant_id', tenant_before, true), set_config('app.sub_tenant_id', part_before, true);
  return null;
end $$;
create trigger visit_ends_with_session after delete on sessions for each row
  when (old.impersonated_tenant_id is not null) execute function note_end_of_visit();

create function end_provider_session() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  delete from identity.models where pool_id = old.pool_id and kind = 'Session' and uid = old.provider_session;
  -- Codes on their way to a callback, and screens that the same browser has half passed.
  delete from identity.models where pool_id = old.pool_id and kind in ('AuthorizationCode', 'Interaction')
    and coalesce(payload ->> 'sessionUid', payload #>> '{session,uid}') = old.provider_session;
  return null;
end $$;
create trigger ended_session_is_out_at_provider after delete on sessions for each row
  when (old.provider_session is not null) execute function end_provider_session();

-- Sessions that ended because an account was disabled, so that their holder is told the reason.
create table ended_sessions (
  tenant_id uuid not null,
  id_hash bytea not null,
  user_id bigint not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id_hash),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index ended_sessions_of_user on ended_sessions (tenant_id, user_id);
create index ended_sessions_expired on ended_sessions (tenant_id, expires_at);
create unique index ended_sessions_id on ended_sessions (id_hash);
select protect('ended_sessions');
grant select on ended_sessions to liftwell_lookup;
create policy lookup_reads on ended_sessions for select to liftwell_lookup using (true);

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

-- A new address or number that waits for the code that was sent to it: one of each kind per person.
create table contact_changes (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  user_id bigint not null,
  kind text not null check (kind in ('email', 'phone')),
  value text not null check (length(value) between 3 and 254),
  code_digest bytea,
  failures integer not null default 0,
  sent timestamptz[] not null default '{}',
  expires_at timestamptz not null,
  created_on timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, user_id, kind),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
select protect('contact_changes');

-- Files of people that are being, or were, imported: a page of the importer's own follows each.
create table user_imports (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  sub_tenant_id uuid,
  created_by bigint,
  created_by_email text,
  file_name text not null check (length(file_name) <= 200),
  dry_run boolean not null,
  send_welcome boolean not null,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'finished', 'failed')),
  problem text,
  -- What was sent, as text; gone once it has been read to its end.
  source text,
  rows_total integer,
  rows_processed integer not null default 0,
  created integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  errors jsonb not null default '[]',
  -- A line for each row: what became of it.
  result text not null default '',
  created_on timestamptz not null default now(),
  finished_on timestamptz,
  primary key (tenant_id, id)
);
create index user_imports_by_time on user_imports (tenant_id, created_on desc);
select protect('user_imports', true);

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
  -- A line of the log says what it is about also when that is gone: the name as it was.
  subject_name text,
  primary key (tenant_id, id)
);
create index audit_events_by_time on audit_events (tenant_id, at desc, id desc);
create index audit_events_by_actor on audit_events (tenant_id, actor_id, id desc);
create index audit_events_by_subject on audit_events (tenant_id, subject_type, subject_id, id desc);
select protect('audit_events', true);
revoke update, delete on audit_events from liftwell_app, liftwell_worker;

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

-- Whether the session of a cookie ended because its person is disabled, and still is.
create function is_session_of_disabled(hash bytea) returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select exists (select from ended_sessions e join users u on u.tenant_id = e.tenant_id and u.id = e.user_id
    where e.id_hash = hash and e.expires_at > now() and u.activation_status = 'disabled')
$$;

-- Before somebody is looked for: a known and an unknown address of a listed domain are answered alike.
create function find_pool(address citext) returns setof pools language sql stable
  security definer set search_path = public, pg_temp as $$
  select pools.* from pools where id = coalesce(
    (select t.pool_id from tenants t where t.id = tenant_of_domain(address)),
    (select t.pool_id from users u join tenants t on t.id = u.tenant_id where u.email = address),
    (select id from pools where is_default))
$$;

-- Somebody of a pool whom its provider does not know by name yet: invited, or there before the tenant
-- went over to this pool. A person who has been linked once is never found by an address again.
create function find_newcomer(its_pool text, address citext) returns setof principal_row language sql stable
  security definer set search_path = public, pg_temp as $$
  select p.* from users u join tenants t on t.id = u.tenant_id join pools on pools.id = t.pool_id, principal_of(u.id) p
  where u.email = address and t.pool_id = its_pool and u.activation_status <> 'disabled'
    and not exists (select from user_identities i where i.tenant_id = u.tenant_id and i.user_id = u.id and i.issuer = pools.issuer)
$$;

create function is_outdated(its_issuers text[], its_subject text, issued timestamptz) returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select exists (select from user_identities i
    where i.issuer = any(its_issuers) and i.subject = its_subject and issued < date_trunc('second', i.valid_after))
$$;

-- Also where another company keeps the domain.
create function is_email_taken(address citext) returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select exists (select from users where email = address) or coalesce(tenant_of_domain(address) <> scope_tenant(), false)
$$;

-- How many people of other companies stand in the way of a domain.
create function strangers_of_domain(its_domain citext) returns bigint language sql stable
  security definer set search_path = public, pg_temp as $$
  select count(*) from users
  where tenant_id <> scope_tenant() and substring(email::text from '[^@]*$')::citext = its_domain
$$;

-- A text comes in for the platform's one number: which companies know the number it came from.
create function tenants_of_number(its_number text) returns setof uuid language sql stable
  security definer set search_path = public, pg_temp as $$
  select distinct u.tenant_id from users u join tenants t on t.id = u.tenant_id
  where u.mobile_phone = its_number and t.deleted_on is null
$$;

-- The tenant of the scope becomes the operator's own, and one person of it the first super admin: once, since a
-- second operator is one too many for tenants_one_operator.
create function found_platform(person bigint) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update tenants set is_operator = true where id = scope_tenant() and not is_operator;
  if not found then raise exception 'the platform is founded already'; end if;
  update users set is_super_admin = true where tenant_id = scope_tenant() and id = person;
  if not found then raise exception 'nobody has this id'; end if;
end $$;

-- Functions that look past the policies belong to a role that can do nothing else; it may create only here.
grant create on schema public to liftwell_lookup;
alter function principal_of(bigint) owner to liftwell_lookup;
alter function find_principal(text, text) owner to liftwell_lookup;
alter function find_session(bytea) owner to liftwell_lookup;
alter function is_session_of_disabled(bytea) owner to liftwell_lookup;
alter function find_pool(citext) owner to liftwell_lookup;
alter function find_newcomer(text, citext) owner to liftwell_lookup;
alter function is_outdated(text[], text, timestamptz) owner to liftwell_lookup;
alter function is_email_taken(citext) owner to liftwell_lookup;
alter function strangers_of_domain(citext) owner to liftwell_lookup;
alter function tenants_of_number(text) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function
  principal_of(bigint),
  find_principal(text, text),
  find_session(bytea),
  is_session_of_disabled(bytea),
  find_pool(citext),
  find_newcomer(text, citext),
  is_outdated(text[], text, timestamptz),
  is_email_taken(citext),
  strangers_of_domain(citext),
  tenants_of_number(text),
  end_provider_session(),
  found_platform(bigint)
  from public;
grant execute on function
  principal_of(bigint)
  to liftwell_lookup;
grant execute on function
  find_principal(text, text),
  find_session(bytea),
  is_session_of_disabled(bytea),
  find_pool(citext),
  find_newcomer(text, citext),
  is_outdated(text[], text, timestamptz),
  is_email_taken(citext),
  strangers_of_domain(citext),
  tenants_of_number(text),
  found_platform(bigint)
  to liftwell_app;
grant execute on function
  is_email_taken(citext)
  to liftwell_worker;
