-- Pauses that moved what was to come by their length: whoever plans later counts them too.

create table journey_pauses (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  journey_id bigint not null,
  paused_at timestamptz not null,
  resumed_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade
);
create index journey_pauses_of_journey on journey_pauses (tenant_id, journey_id, paused_at);
select protect_through('journey_pauses', 'journeys', 'journey_id');

-- A date that its author names after a pause means that date.
alter table lifts add column scheduled_on timestamptz not null default now();
alter table journeys add column start_set_on timestamptz not null default now();

-- By which rules of the zones turns were planned: Node brings its own, and they change with it.
create table zone_rules (
  zone text primary key,
  version text not null,
  -- A digest of the changes of its clock in the years that can be planned.
  changes text not null
);
grant select, insert, update on zone_rules to liftwell_worker;

create function tenants_under_way() returns setof uuid language sql stable
  security definer set search_path = public, pg_temp as $$
  select distinct j.tenant_id from journeys j where j.status in ('scheduled', 'active', 'paused')
$$;
grant create on schema public to liftwell_lookup;
alter function tenants_under_way() owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function tenants_under_way() from public;
grant execute on function tenants_under_way() to liftwell_worker;
