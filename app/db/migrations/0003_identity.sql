-- The embedded OpenID provider's own tables. Only app/identity reads them.
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
  primary key (pool_id, sub),
  unique (pool_id, username)
);

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
  primary key (pool_id, kind, id)
);
create index models_of_grant on identity.models (pool_id, grant_id) where grant_id is not null;
create index models_by_uid on identity.models (pool_id, kind, uid) where uid is not null;
create index models_of_account on identity.models (pool_id, (payload ->> 'accountId')) where payload ? 'accountId';
create index models_expired on identity.models (expires_at);

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
  updated_on timestamptz not null default now()
);
create index attempts_by_age on identity.attempts (updated_on);

grant select, insert, update, delete on all tables in schema identity to liftwell_identity;
