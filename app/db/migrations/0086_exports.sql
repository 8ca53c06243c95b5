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
