-- Planning for so many that no request waits for it: done some people at a time, and gone on with after a crash.

create table journey_plans (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  journey_id bigint not null,
  -- All turns at the launch, those of late joiners, or anew after an edit.
  kind text not null check (kind in ('launch', 'late', 'edit')),
  past text not null check (past in ('send_now', 'skip', 'todo_only', 'one_a_day')),
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
  primary key (tenant_id, id),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade
);
create index journey_plans_of_journey on journey_plans (tenant_id, journey_id);
select protect_through('journey_plans', 'journeys', 'journey_id');

-- No journey is over while some of its people are still to be planned.
grant select on journey_plans to liftwell_lookup;
create policy lookup_reads on journey_plans for select to liftwell_lookup using (true);
create or replace function journeys_to_look_after() returns table (tenant_id uuid, id bigint, is_over boolean) language sql stable
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
grant create on schema public to liftwell_lookup;
alter function stalled_plans() owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function stalled_plans() from public;
grant execute on function stalled_plans() to liftwell_worker;
