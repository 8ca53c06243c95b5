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

-- Imports add people, and a rehearsal asks which addresses are taken.
grant insert on users to liftwell_worker;
grant execute on function is_email_taken(citext) to liftwell_worker;
