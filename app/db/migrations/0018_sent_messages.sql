-- Messages that a real carrier took, by the sender's own key: what they said is nowhere kept.
create table sent_messages (
  tenant_id uuid not null references tenants (id),
  key text not null,
  provider_id text not null,
  created_on timestamptz not null default now(),
  primary key (tenant_id, key)
);
create index sent_messages_by_date on sent_messages (tenant_id, created_on);
select protect('sent_messages');

-- A new authenticator app, until a code of it was right; the one before goes on being asked for.
alter table identity.users
  add column totp_pending_sealed text,
  add column totp_pending_on timestamptz;
