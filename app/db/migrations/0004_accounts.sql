-- The accounts that people sign in with, their sessions, the keys of programs, and who it is that asks.

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
  -- One process at a time asks the provider for fresh tokens of a session, and holds no connection while it does. Until
  -- when somebody asks says not who: another may be the next to ask until that very moment.
  refreshing_until timestamptz,
  refreshing_by uuid,
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

create type principal_row as (
  user_id bigint, tenant_id uuid, email text, first_name text, last_name text, activation_status text,
  is_super_admin boolean, accepted_terms_on timestamptz, tenant_status text, pool_id text, roles jsonb,
  is_asked_for_second_factor boolean
);

-- Whether their company, or a sub-tenant they are an admin of, asks a person for a second factor is told with the person,
-- since each request of an admin asks. What is looked up by keys only has one plan, whatever the size of a tenant.
create function principal_of(person bigint) returns setof principal_row language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select u.id, u.tenant_id, u.email::text, u.first_name, u.last_name, u.activation_status, u.is_super_admin,
    u.accepted_terms_on, case when t.deleted_on is null then t.status else 'inactive' end, t.pool_id, own.roles, own.is_asked
  from users u join tenants t on t.id = u.tenant_id, lateral (
    select coalesce(jsonb_agg(jsonb_build_object('role', r.role, 'tenant_id', r.tenant_id, 'sub_tenant_id', r.sub_tenant_id)
        order by r.id), '[]') as roles,
      coalesce(bool_or(r.role = 'admin' and (t.settings @> '{"admins_need_second_factor": true}'
        or s.settings @> '{"admins_need_second_factor": true}')), false) as is_asked
    from user_general_roles r left join sub_tenants s
      on s.tenant_id = r.tenant_id and s.id = r.sub_tenant_id and s.deleted_on is null
    where r.tenant_id = u.tenant_id and r.user_id = u.id) own
  where u.id = person
$$;

create function scope_is_asked_for_second_factor() returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select coalesce(bool_or(p.is_asked_for_second_factor), false)
  from principal_of(nullif(current_setting('app.user_id', true), '')::bigint) p where p.tenant_id = scope_tenant()
$$;

create function find_principal(its_issuer text, its_subject text) returns setof principal_row language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select p.* from user_identities i, principal_of(i.user_id) p where i.issuer = its_issuer and i.subject = its_subject
$$;

-- Session, person, roles and tenant in one query.
create function find_session(hash bytea) returns table (
  principal principal_row, session_pool_id text, tokens_sealed text, access_expires_at timestamptz, refreshed_at timestamptz,
  remember boolean, impersonated_tenant_id uuid, impersonated_status text, impersonation_ends_at timestamptz,
  sub_tenant_id uuid, sub_tenant_status text, last_seen_on timestamptz, expires_at timestamptz
) language sql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
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
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select exists (select from user_identities i
    where i.issuer = any(its_issuers) and i.subject = its_subject and issued < date_trunc('second', i.valid_after))
$$;

-- Whether an account at a provider is anybody's, in whatever tenant.
create function has_person(its_issuers text[], its_subject text) returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select exists (select from user_identities i where i.issuer = any(its_issuers) and i.subject = its_subject)
$$;

-- Keys with which programs use the HTTP API. Each acts for its maker, and never has more rights than its maker has now.
create table api_keys (
  tenant_id uuid not null references tenants (id),
  id bigint not null generated always as identity,
  -- Null: for the whole company.
  sub_tenant_id uuid,
  -- The maker.
  user_id bigint not null,
  name text not null check (length(name) between 1 and 80),
  role text not null check (role in ('admin', 'author')),
  is_read_only boolean not null,
  secret_hash bytea not null,
  -- The first characters, by which people recognize it.
  secret_start text not null,
  -- Of the form that made it: sent again, it makes no second key.
  request_hash bytea,
  created_on timestamptz not null default now(),
  expires_on timestamptz not null,
  last_used_on timestamptz,
  revoked_on timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, user_id, request_hash),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  foreign key (tenant_id, sub_tenant_id) references sub_tenants (tenant_id, id) on delete cascade
);
create unique index api_keys_secret on api_keys (secret_hash);
select protect('api_keys', true);
alter policy scope_select on api_keys using (tenant_id = scope_tenant()
  and case when scope_sub_tenant() is null then true else sub_tenant_id = scope_sub_tenant() end);
grant select on api_keys to liftwell_lookup;
create policy lookup_reads on api_keys for select to liftwell_lookup using (true);

-- A bearer token that is a key: the key and its maker as they are now.
create function find_api_key(hash bytea) returns table (
  maker principal_row, id bigint, name text, role text, is_read_only boolean, sub_tenant_id uuid, last_used_on timestamptz
) language sql stable security definer set search_path = public, pg_temp as $$
  select p, k.id, k.name, k.role, k.is_read_only, k.sub_tenant_id, k.last_used_on
  from api_keys k, principal_of(k.user_id) p
  where k.secret_hash = hash and k.revoked_on is null and k.expires_on > now() and p.tenant_id = k.tenant_id
$$;

-- Functions that look past the policies belong to a role that can do nothing else; it may create only here.
grant create on schema public to liftwell_lookup;
alter function principal_of(bigint) owner to liftwell_lookup;
alter function scope_is_asked_for_second_factor() owner to liftwell_lookup;
alter function find_principal(text, text) owner to liftwell_lookup;
alter function find_session(bytea) owner to liftwell_lookup;
alter function is_session_of_disabled(bytea) owner to liftwell_lookup;
alter function find_pool(citext) owner to liftwell_lookup;
alter function find_newcomer(text, citext) owner to liftwell_lookup;
alter function is_outdated(text[], text, timestamptz) owner to liftwell_lookup;
alter function has_person(text[], text) owner to liftwell_lookup;
alter function find_api_key(bytea) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function
  principal_of(bigint),
  scope_is_asked_for_second_factor(),
  find_principal(text, text),
  find_session(bytea),
  is_session_of_disabled(bytea),
  find_pool(citext),
  find_newcomer(text, citext),
  is_outdated(text[], text, timestamptz),
  has_person(text[], text),
  find_api_key(bytea),
  end_provider_session()
  from public;
grant execute on function
  principal_of(bigint)
  to liftwell_lookup;
grant execute on function
  scope_is_asked_for_second_factor(),
  find_principal(text, text),
  find_session(bytea),
  is_session_of_disabled(bytea),
  find_pool(citext),
  find_newcomer(text, citext),
  is_outdated(text[], text, timestamptz),
  has_person(text[], text),
  find_api_key(bytea)
  to liftwell_app;
