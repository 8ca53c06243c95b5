-- Sign-ins under way, and the tables of the embedded OpenID provider: only app/identity reads those.

-- A sign-in that has not come back yet, keyed by the state it left with.
create table sign_in_attempts (
  state text primary key,
  pool_id text not null references pools (id),
  redirect_to text not null,
  remember boolean not null default false,
  code_verifier text not null,
  nonce text not null,
  created_on timestamptz not null default now(),
  expires_at timestamptz not null,
  -- A sign-in on our screens at a user pool elsewhere: which screen its browser is on, and what it has proved there.
  login_hint text,
  entrance text check (entrance in ('signIn', 'signUp', 'forgotPassword')),
  screen jsonb,
  progress_sealed text
);
grant select, insert, update, delete on sign_in_attempts to liftwell_app;

create schema identity;
grant usage on schema identity to liftwell_identity;

create table identity.users (
  pool_id text not null,
  sub uuid not null default gen_random_uuid(),
  username citext not null check (length(username) <= 254),
  password_hash text,
  status text not null default 'CONFIRMED' check (status in ('UNCONFIRMED', 'CONFIRMED', 'FORCE_CHANGE_PASSWORD', 'RESET_REQUIRED')),
  enabled boolean not null default true,
  attributes jsonb not null default '{}',
  temporary_until timestamptz,
  totp_secret_sealed text,
  totp_last_step bigint,
  preferred_mfa text check (preferred_mfa in ('SMS_MFA', 'SOFTWARE_TOKEN_MFA')),
  tokens_valid_after timestamptz not null default 'epoch',
  created_on timestamptz not null default now(),
  updated_on timestamptz not null default now(),
  -- Somebody who signed up by themselves and has no place in a company yet.
  awaits_admission boolean not null default false,
  -- A new authenticator app, until a code of it was right; the one before goes on being asked for.
  totp_pending_sealed text,
  totp_pending_on timestamptz,
  primary key (pool_id, sub),
  unique (pool_id, username)
);

-- The embedded provider signs an account out everywhere, disables it, or gives it another password: in the
-- same transaction its sessions here are over. It works in the account's tenant, behind the same wall as all.
create function end_sessions_of_account() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
declare
  scope_before text := coalesce(current_setting('app.tenant_id', true), '');
  person record;
begin
  for person in select i.tenant_id, i.user_id from user_identities i join pools p on p.issuer = i.issuer
    where p.id = new.pool_id and i.subject = new.sub::text
  loop
    perform set_config('app.tenant_id', person.tenant_id::text, true);
    delete from sessions where tenant_id = person.tenant_id and user_id = person.user_id;
    update user_identities set valid_after = now() where tenant_id = person.tenant_id and user_id = person.user_id;
  end loop;
  perform set_config('app.tenant_id', scope_before, true);
  return null;
end $$;
create trigger account_is_out after update on identity.users for each row
  when (new.tokens_valid_after is distinct from old.tokens_valid_after
    or new.password_hash is distinct from old.password_hash
    or (old.enabled and not new.enabled)
    or (new.status = 'RESET_REQUIRED' and old.status <> 'RESET_REQUIRED'))
  execute function end_sessions_of_account();

-- What oidc-provider keeps: sessions, interactions, grants, codes and tokens.
create table identity.models (
  pool_id text not null,
  kind text not null,
  id text not null,
  grant_id text,
  uid text,
  user_code text,
  payload jsonb not null,
  -- Of an interaction: the step its browser is in, and for whom.
  progress jsonb,
  consumed_at timestamptz,
  expires_at timestamptz,
  -- Of an interaction: what its browser has proved so far, and of whom. The screen it is on is `progress`.
  challenge jsonb,
  primary key (pool_id, kind, id)
);
create index models_of_grant on identity.models (pool_id, grant_id) where grant_id is not null;
create index models_by_uid on identity.models (pool_id, kind, uid) where uid is not null;
create index models_of_account on identity.models (pool_id, (payload ->> 'accountId')) where payload ? 'accountId';
create index models_expired on identity.models (expires_at);
create index models_of_session on identity.models
  (pool_id, (coalesce(payload ->> 'sessionUid', payload #>> '{session,uid}')))
  where kind in ('AuthorizationCode', 'Interaction');

create table identity.signing_keys (
  pool_id text not null,
  kid text not null,
  jwk_sealed text not null,
  created_on timestamptz not null default now(),
  primary key (pool_id, kid)
);

-- Who guessed how often: one row per account and per address, named by a keyed hash.
create table identity.attempts (
  key text primary key,
  failures integer not null default 0,
  recent timestamptz[] not null default '{}',
  locked_until timestamptz,
  updated_on timestamptz not null default now(),
  -- Of an address: the accounts that failed there lately, by keyed hash, and when each did first. Of an account: nothing.
  accounts jsonb not null default '{}'
);
create index attempts_by_age on identity.attempts (updated_on);

-- Where accounts have signed in: keyed hashes of account and network, kept for a month.
create table identity.known_addresses (
  key text primary key,
  seen_on timestamptz not null default now()
);
create index known_addresses_by_age on identity.known_addresses (seen_on);
grant select, insert, update, delete on identity.known_addresses to liftwell_identity;

-- The latest code of each account and purpose, for names that nobody has as well. Named by a keyed hash.
create table identity.codes (
  key text primary key,
  digest bytea not null,
  failures integer not null default 0,
  sent timestamptz[] not null,
  expires_at timestamptz not null
);
create index codes_by_age on identity.codes (expires_at);
grant select, insert, update, delete on identity.codes to liftwell_identity;

grant select, insert, update, delete on all tables in schema identity to liftwell_identity;

-- A company that leaves one of our own pools for another takes its accounts along, in one step: passwords and apps
-- hold, and people who are signed in begin again.
create function move_accounts(target text) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  target_issuer text;
  account record;
begin
  select issuer into target_issuer from pools where id = target and kind = 'embedded';
  if target_issuer is null or not scope_is_operator() then
    raise exception 'Only a super admin moves accounts, and to a pool of our own' using errcode = 'insufficient_privilege';
  end if;
  for account in
    select i.user_id, i.issuer, i.subject, u.pool_id, u.sub, u.username
    from user_identities i join pools p on p.issuer = i.issuer and p.kind = 'embedded' and p.id <> target
      join identity.users u on u.pool_id = p.id and u.sub::text = i.subject
    where i.tenant_id = scope_tenant()
  loop
    -- Whoever signed up there with the same address found no company.
    delete from identity.users where pool_id = target and username = account.username
      and (status = 'UNCONFIRMED' or awaits_admission);
    update identity.users set pool_id = target where pool_id = account.pool_id and sub = account.sub;
    delete from identity.models where pool_id = account.pool_id and payload ->> 'accountId' = account.subject;
    delete from sessions where tenant_id = scope_tenant() and user_id = account.user_id;
    update user_identities set issuer = target_issuer, valid_after = now()
      where tenant_id = scope_tenant() and user_id = account.user_id and issuer = account.issuer;
  end loop;
end $$;

revoke all on function
  end_sessions_of_account(),
  move_accounts(text)
  from public;
grant execute on function
  move_accounts(text)
  to liftwell_app;
