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
grant select on api_keys to liftwell_lookup;
create policy lookup_reads on api_keys for select to liftwell_lookup using (true);

-- A bearer token that is a key: the key and its maker as they are now.
grant create on schema public to liftwell_lookup;
create function find_api_key(hash bytea) returns table (
  maker principal_row, id bigint, name text, role text, is_read_only boolean, sub_tenant_id uuid, last_used_on timestamptz
) language sql stable security definer set search_path = public, pg_temp as $$
  select p, k.id, k.name, k.role, k.is_read_only, k.sub_tenant_id, k.last_used_on
  from api_keys k, principal_of(k.user_id) p
  where k.secret_hash = hash and k.revoked_on is null and k.expires_on > now() and p.tenant_id = k.tenant_id
$$;
alter function find_api_key(bytea) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function find_api_key(bytea) from public;
grant execute on function find_api_key(bytea) to liftwell_app;

-- What a key did stands in the log with its name, as it was.
alter table audit_events add column api_key_id bigint, add column api_key_name text;
