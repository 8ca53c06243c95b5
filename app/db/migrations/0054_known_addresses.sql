-- Of an address: the accounts that failed there lately, by keyed hash, and when each did first. Of an account: nothing.
alter table identity.attempts add column accounts jsonb not null default '{}';

-- Where accounts have signed in: keyed hashes of account and network, kept for a month.
create table identity.known_addresses (
  key text primary key,
  seen_on timestamptz not null default now()
);
create index known_addresses_by_age on identity.known_addresses (seen_on);
grant select, insert, update, delete on identity.known_addresses to liftwell_identity;
