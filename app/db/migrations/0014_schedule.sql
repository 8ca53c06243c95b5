-- The life of a launched journey: its pause, its end, the last wall before a message, and what each lift has come to.

alter table journeys add column paused_at timestamptz;
create index dispatches_sent on dispatches (tenant_id, sent_at) where sent_at is not null;
create index dispatches_of_address on dispatches (tenant_id, address, sent_at) where sent_at is not null;
create index occurrences_of_lift on occurrences (tenant_id, lift_id, due_at) where due_at is not null;

-- The last wall: whatever the program believes, nobody who said no gets a text, nobody is texted at night,
-- and what a carrier has accepted is not handed over again.
create function refuse_dispatch() returns trigger language plpgsql as $$
declare
  said text;
  clock time;
begin
  if old.state in ('accepted', 'delivered') then
    raise exception 'dispatch % was accepted already', new.id using errcode = 'check_violation';
  end if;
  if new.channel <> 'sms' then return new; end if;
  select e.action into said from consent_events e
    where e.tenant_id = new.tenant_id and e.number = new.address and e.action <> 'import'
    order by e.at desc, e.id desc limit 1;
  if said is distinct from 'opt_in' then
    raise exception 'dispatch % goes to a number without consent', new.id using errcode = 'check_violation';
  end if;
  select (now() at time zone coalesce(u.timezone, s.timezone, t.timezone))::time into clock
    from occurrences o
      join members m on m.tenant_id = o.tenant_id and m.id = o.member_id
      join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
      join journeys j on j.tenant_id = o.tenant_id and j.id = o.journey_id
      join tenants t on t.id = o.tenant_id
      left join sub_tenants s on s.tenant_id = j.tenant_id and s.id = j.sub_tenant_id
    where o.tenant_id = new.tenant_id and o.id = new.occurrence_id;
  if clock >= '21:00' or clock < '08:00' then
    raise exception 'dispatch % would arrive at night', new.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger refuse_dispatch before update of state on dispatches for each row
  when (new.state = 'sending' and old.state <> 'sending') execute function refuse_dispatch();

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
  primary key (tenant_id, id),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade,
  foreign key (tenant_id, lift_id) references lifts (tenant_id, id) on delete cascade
);
create index lift_tallies_of_journey on lift_tallies (tenant_id, journey_id, lift_id);
create index lift_tallies_of_lift on lift_tallies (tenant_id, lift_id);
select protect_through('lift_tallies', 'journeys', 'journey_id');

create function tally_facts() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into lift_tallies (tenant_id, journey_id, lift_id, assigned, accepted, opened, responded, completed)
    select f.tenant_id, f.journey_id, f.lift_id, -count(*), -count(f.accepted_at), -count(f.opened_at),
      -count(f.responded_at), -count(f.completed_at)
    from old_facts f join lifts l on l.tenant_id = f.tenant_id and l.id = f.lift_id
    where f.state not in ('cancelled', 'held') group by 1, 2, 3;
  end if;
  if tg_op <> 'DELETE' then
    insert into lift_tallies (tenant_id, journey_id, lift_id, assigned, accepted, opened, responded, completed)
    select f.tenant_id, f.journey_id, f.lift_id, count(*), count(f.accepted_at), count(f.opened_at),
      count(f.responded_at), count(f.completed_at)
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
insert into lift_tallies (tenant_id, journey_id, lift_id, assigned, accepted, opened, responded, completed)
select tenant_id, journey_id, lift_id, count(*), count(accepted_at), count(opened_at), count(responded_at), count(completed_at)
from fact_occurrence where state not in ('cancelled', 'held') group by 1, 2, 3;

-- What the worker asks about all tenants at once; what it does with the answer happens inside one of them.
grant select on journeys, occurrences, lifts, lift_tallies to liftwell_lookup;
create policy lookup_reads on journeys for select to liftwell_lookup using (true);
create policy lookup_reads on occurrences for select to liftwell_lookup using (true);
create policy lookup_reads on lifts for select to liftwell_lookup using (true);
create policy lookup_reads on lift_tallies for select to liftwell_lookup using (true);

-- Active journeys of which every turn is over (completed, or closed, or due so long ago that nobody will come
-- back to it), and journeys with many tallies to sum up.
create function journeys_to_look_after() returns table (tenant_id uuid, id bigint, is_over boolean) language sql stable
  security definer set search_path = public, pg_temp as $$
  select j.tenant_id, j.id, true from journeys j
  where j.status = 'active'
    and exists (select from occurrences o where o.tenant_id = j.tenant_id and o.journey_id = j.id)
    and not exists (
      select from occurrences o join lifts l on l.tenant_id = o.tenant_id and l.id = o.lift_id
      where o.tenant_id = j.tenant_id and o.journey_id = j.id and o.state not in ('completed', 'cancelled', 'expired')
        and case when o.due_at is null then l.schedule ->> 'kind' = 'manual'
          else coalesce(o.closes_at, o.due_at + interval '14 days') > now() end)
  union all
  select t.tenant_id, t.journey_id, false from lift_tallies t group by 1, 2
  having count(*) > 20 * count(distinct t.lift_id)
$$;
grant create on schema public to liftwell_lookup;
alter function journeys_to_look_after() owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function journeys_to_look_after() from public;
grant execute on function journeys_to_look_after() to liftwell_worker;
