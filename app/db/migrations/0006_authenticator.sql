-- What the embedded provider's sign-in needs beyond a password.

-- Of an interaction: what its browser has proved so far, and of whom. The screen it is on is `progress`.
alter table identity.models add column challenge jsonb;

-- Somebody who signed up by themselves and has no place in a company yet.
alter table identity.users add column awaits_admission boolean not null default false;

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
