-- What is due to whom and when, and what has become of it.

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
  created_on timestamptz not null default now(),
  -- Why a turn comes when it comes, and since when that is planned.
  shifted text[] not null default '{}',
  planned_on timestamptz default now(),
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
  -- All turns at the launch, those of late joiners, or again after an edit; or what a pause or an end makes of them.
  kind text not null check (kind in ('launch', 'late', 'edit', 'move', 'pause', 'resume', 'complete', 'archive')),
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
  created_on timestamptz not null default now(),
  -- The last step; one that is long ago was broken off with its process.
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

-- What each lift has come to, as changes that are summed: counting millions of facts takes too long, and one row
-- per lift would make every sender wait for the others.
create table lift_tallies (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  journey_id bigint not null,
  lift_id bigint not null,
  assigned bigint not null default 0,
  accepted bigint not null default 0,
  opened bigint not null default 0,
  responded bigint not null default 0,
  completed bigint not null default 0,
  unknown bigint not null default 0,
  failed bigint not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade,
  foreign key (tenant_id, lift_id) references lifts (tenant_id, id) on delete cascade
);
create index lift_tallies_of_journey on lift_tallies (tenant_id, journey_id, lift_id);
create index lift_tallies_of_lift on lift_tallies (tenant_id, lift_id);
select protect_through('lift_tallies', 'journeys', 'journey_id');
grant select on lift_tallies to liftwell_lookup;
create policy lookup_reads on lift_tallies for select to liftwell_lookup using (true);

-- One row per occurrence, kept in the transaction that changes it; analytics read only this.
create table fact_occurrence (
  tenant_id uuid not null,
  occurrence_id bigint not null,
  sub_tenant_id uuid,
  journey_id bigint not null,
  lift_id bigint not null,
  member_id bigint not null,
  user_id bigint not null,
  exclude_data boolean not null,
  left_at timestamptz,
  required boolean not null,
  state text not null,
  -- How the message fared: each assigned occurrence is in exactly one of these.
  delivery text not null check (delivery in ('accepted', 'unknown', 'suppressed', 'failed', 'expired', 'pending')),
  due_at timestamptz,
  attempted_at timestamptz,
  accepted_at timestamptz,
  delivered_at timestamptz,
  opened_at timestamptz,
  responded_at timestamptz,
  completed_at timestamptz,
  closes_at timestamptz,
  primary key (tenant_id, occurrence_id),
  foreign key (tenant_id, occurrence_id) references occurrences (tenant_id, id) on delete cascade
);
create index fact_occurrence_of_journey on fact_occurrence (tenant_id, journey_id, due_at);
create index fact_occurrence_of_member on fact_occurrence (tenant_id, member_id);
select protect_through('fact_occurrence', 'journeys', 'journey_id');

create function tally_facts() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into lift_tallies (tenant_id, journey_id, lift_id, assigned, accepted, opened, responded, completed,
      unknown, failed)
    select f.tenant_id, f.journey_id, f.lift_id, -count(*), -count(f.accepted_at), -count(f.opened_at),
      -count(f.responded_at), -count(f.completed_at), -count(*) filter (where f.delivery = 'unknown'),
      -count(*) filter (where f.delivery = 'failed')
    from old_facts f join lifts l on l.tenant_id = f.tenant_id and l.id = f.lift_id
    where f.state not in ('cancelled', 'held') group by 1, 2, 3;
  end if;
  if tg_op <> 'DELETE' then
    insert into lift_tallies (tenant_id, journey_id, lift_id, assigned, accepted, opened, responded, completed,
      unknown, failed)
    select f.tenant_id, f.journey_id, f.lift_id, count(*), count(f.accepted_at), count(f.opened_at),
      count(f.responded_at), count(f.completed_at), count(*) filter (where f.delivery = 'unknown'),
      count(*) filter (where f.delivery = 'failed')
    from new_facts f join lifts l on l.tenant_id = f.tenant_id and l.id = f.lift_id
    where f.state not in ('cancelled', 'held') group by 1, 2, 3;
  end if;
  return null;
end $$;
create trigger tally_inserted after insert on fact_occurrence
  referencing new table as new_facts for each statement execute function tally_facts();
create trigger tally_updated after update on fact_occurrence
  referencing old table as old_facts new table as new_facts for each statement execute function tally_facts();
create trigger tally_deleted after delete on fact_occurrence
  referencing old table as old_facts for each statement execute function tally_facts();

-- Active journeys of which every turn is over (completed, or closed, or due so long ago that nobody will come
-- back to it), and journeys with many tallies to sum up.
create function journeys_to_look_after() returns table (tenant_id uuid, id bigint, is_over boolean) language sql stable
  security definer set search_path = public, pg_temp as $$
  select j.tenant_id, j.id, true from journeys j
  where j.status = 'active'
    and exists (select from occurrences o where o.tenant_id = j.tenant_id and o.journey_id = j.id)
    and not exists (select from journey_plans p where p.tenant_id = j.tenant_id and p.journey_id = j.id)
    and not exists (
      select from occurrences o join lifts l on l.tenant_id = o.tenant_id and l.id = o.lift_id
      where o.tenant_id = j.tenant_id and o.journey_id = j.id and o.state not in ('completed', 'cancelled', 'expired')
        and case when o.due_at is null then l.schedule ->> 'kind' = 'manual'
          else coalesce(o.closes_at, o.due_at + interval '14 days') > now() end)
  union all
  select t.tenant_id, t.journey_id, false from lift_tallies t group by 1, 2
  having count(*) > 20 * count(distinct t.lift_id)
$$;

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
alter function journeys_to_look_after() owner to liftwell_lookup;
alter function stalled_plans() owner to liftwell_lookup;
alter function tenants_under_way() owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function
  journeys_to_look_after(),
  stalled_plans(),
  tenants_under_way()
  from public;
grant execute on function
  journeys_to_look_after(),
  stalled_plans(),
  tenants_under_way()
  to liftwell_worker;
