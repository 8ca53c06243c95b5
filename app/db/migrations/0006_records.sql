-- What is kept about what people do, what they are told, and what they take away.

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
  -- What a key did stands there with its name, as it was.
  api_key_id bigint,
  api_key_name text,
  primary key (tenant_id, id)
);
create index audit_events_by_time on audit_events (tenant_id, at desc, id desc);
-- What happened of one kind, what one person did, what was done on behalf of a tenant, and what happened in a sub-tenant:
-- the newest of it may be long ago.
create index audit_events_by_action on audit_events (tenant_id, action, at desc, id desc);
create index audit_events_by_actor on audit_events (tenant_id, actor_id, at desc, id desc);
create index audit_events_on_behalf on audit_events (tenant_id, on_behalf_of, at desc, id desc)
  where on_behalf_of is not null;
create index audit_events_in_sub_tenant on audit_events (tenant_id, sub_tenant_id, at desc, id desc)
  where sub_tenant_id is not null;
create index audit_events_by_subject on audit_events (tenant_id, subject_type, subject_id, id desc);
create index audit_events_search on audit_events using gin
  (tenant_id, search_text(subject_name) gin_trgm_ops, search_text(actor_email) gin_trgm_ops);
select protect('audit_events', true);
alter policy scope_select on audit_events using (tenant_id = scope_tenant()
  and case when scope_sub_tenant() is null then true else sub_tenant_id = scope_sub_tenant() end);
revoke update, delete on audit_events from liftwell_app, liftwell_worker;
grant select on audit_events to liftwell_lookup;
create policy lookup_reads on audit_events for select to liftwell_lookup using (true);

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

create table notifications (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  user_id bigint not null,
  notification_type text not null check (notification_type in ('warning', 'success', 'launch', 'info')),
  content jsonb not null,
  has_read boolean not null default false,
  created_on timestamptz not null default scope_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index notifications_of_user on notifications (tenant_id, user_id, created_on desc, id desc);
select protect('notifications');

-- What people take away: files of figures, and statements of a journey, made by a job. Each is its maker's own.
create table exports (
  tenant_id uuid not null references tenants (id),
  id uuid not null default gen_random_uuid(),
  -- Null: of the whole company.
  sub_tenant_id uuid,
  -- Who asked, and with which rights: it is made with these.
  created_by bigint not null,
  asked_as jsonb not null,
  -- Which table, or the statements.
  kind text not null check (length(kind) between 1 and 40),
  -- `sent`: to the learning record store, no file.
  format text not null check (format in ('csv', 'xlsx', 'json', 'sent')),
  query jsonb not null,
  -- Of what was asked: the same again, while it is being made, is the same export.
  request_hash bytea not null,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'finished', 'failed')),
  problem text,
  -- Whoever makes it at the moment: one that was begun anew takes nothing more from the one before.
  attempt uuid,
  attempts integer not null default 0,
  rows_total integer,
  rows_done integer not null default 0,
  size bigint not null default 0,
  created_on timestamptz not null default now(),
  finished_on timestamptz,
  expires_on timestamptz not null default now() + interval '1 day',
  primary key (tenant_id, id),
  foreign key (tenant_id, sub_tenant_id) references sub_tenants (tenant_id, id) on delete cascade
);
create index exports_of_maker on exports (tenant_id, created_by, created_on desc, id);
create unique index exports_under_way on exports (tenant_id, created_by, request_hash)
  where status in ('waiting', 'running');
select protect('exports', true);
alter policy scope_select on exports using (tenant_id = scope_tenant()
  and case when scope_sub_tenant() is null then true else sub_tenant_id = scope_sub_tenant() end);

-- The file, in the order of `nth`.
create table export_parts (
  tenant_id uuid not null,
  export_id uuid not null,
  nth integer not null,
  bytes bytea not null,
  primary key (tenant_id, export_id, nth),
  foreign key (tenant_id, export_id) references exports (tenant_id, id) on delete cascade
);
alter table export_parts alter column bytes set storage external;
select protect_through('export_parts', 'exports', 'export_id');
