-- Why a provider elsewhere signed nobody in: the newest of each company, for those who configure it.
create table refused_sign_ins (
  tenant_id uuid not null references tenants (id),
  id bigint generated always as identity,
  reason text not null check (length(reason) between 1 and 400),
  -- The line of the log.
  request_id text not null,
  created_on timestamptz not null default now(),
  primary key (tenant_id, id)
);
select protect('refused_sign_ins');
