-- What is due to whom and when.

create table occurrences (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  journey_id bigint not null,
  lift_id bigint not null,
  member_id bigint not null,
  planned_local timestamp,
  zone text not null,
  due_at timestamptz,
  state text not null default 'planned' check (state in ('planned', 'held', 'due', 'sent', 'opened', 'responded', 'completed', 'cancelled', 'expired', 'suppressed')),
  content_version integer not null,
  opened_at timestamptz,
  first_response_at timestamptz,
  completed_at timestamptz,
  closes_at timestamptz,
  created_on timestamptz not null default scope_now(),
  -- Why a turn comes when it comes, and since when that is planned.
  shifted text[] not null default '{}',
  planned_on timestamptz default scope_now(),
  -- A person's own word is no part of the one lift a day.
  by_hand boolean not null default false,
  primary key (tenant_id, id),
  unique (tenant_id, lift_id, member_id),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade,
  foreign key (tenant_id, lift_id) references lifts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade
);
create index occurrences_of_member on occurrences (tenant_id, member_id, due_at);
create index occurrences_of_journey on occurrences (tenant_id, journey_id, lift_id);
create index occurrences_of_lift on occurrences (tenant_id, lift_id, due_at) where due_at is not null;
-- Turns that wait for a person are few: the timeline counts them for each lift, whatever the number of learners.
create index occurrences_held on occurrences (tenant_id, lift_id) where state = 'held';
select protect_through('occurrences', 'journeys', 'journey_id');
grant select on occurrences to liftwell_lookup;
create policy lookup_reads on occurrences for select to liftwell_lookup using (true);

-- Planning for so many that no request waits for it: done some people at a time, and gone on with after a crash.
create table journey_plans (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  journey_id bigint not null,
  -- All turns at the launch, those of late joiners, those after an edit; what a pause or an end makes of
  -- them; or a lift that a person sends now to many.
  kind text not null check (kind in ('launch', 'late', 'edit', 'move', 'pause', 'resume', 'complete', 'archive', 'send')),
  -- Where there is nothing past to decide about, none.
  past text check (past in ('send_now', 'skip', 'todo_only', 'one_a_day')),
  lift_ids bigint[] not null,
  -- Null: everybody who was a member when it began.
  member_ids bigint[],
  -- Members are taken in the order of their ids, from the first after this one to the last.
  after_member bigint not null default 0,
  last_member bigint not null,
  -- The moment from which the plan looks at the rules.
  moment timestamptz not null,
  people integer not null,
  done integer not null default 0,
  created_on timestamptz not null default scope_now(),
  -- The last step, by the machine's clock; one that is long ago was broken off with its process.
  touched_on timestamptz not null default now(),
  -- Of a pause that ends: what becomes of what it held, and when it began.
  mode text check (mode in ('shift', 'skip')),
  since timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade,
  constraint journey_plans_resume_check check ((kind = 'resume') = (mode is not null and since is not null))
);
create index journey_plans_of_journey on journey_plans (tenant_id, journey_id);
select protect_through('journey_plans', 'journeys', 'journey_id');
grant select on journey_plans to liftwell_lookup;
create policy lookup_reads on journey_plans for select to liftwell_lookup using (true);
comment on column journey_plans.lift_ids is 'Empty: all of the journey.';

-- Pauses that moved what was to come by their length: later plans count them too.
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

-- By which rules of the zones turns were planned: Node brings its own, and they change with it.
create table zone_rules (
  zone text primary key,
  version text not null,
  -- A digest of the changes of its clock in the years that can be planned.
  changes text not null
);
grant select, insert, update on zone_rules to liftwell_worker;

create function stalled_plans() returns table (tenant_id uuid, id bigint) language sql stable
  security definer set search_path = public, pg_temp as $$
  select p.tenant_id, p.id from journey_plans p where p.touched_on < now() - interval '2 minutes' order by p.id
$$;

create function tenants_under_way() returns setof uuid language sql stable
  security definer set search_path = public, pg_temp as $$
  select distinct j.tenant_id from journeys j where j.status in ('scheduled', 'active', 'paused')
$$;

-- Functions that look past the policies belong to a role that can do nothing else; it may create only here.
grant create on schema public to liftwell_lookup;
alter function stalled_plans() owner to liftwell_lookup;
alter function tenants_under_way() owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function
  stalled_plans(),
  tenants_under_way()
  from public;
grant execute on function
  stalled_plans(),
  tenants_under_way()
  to liftwell_worker;
