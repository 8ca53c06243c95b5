-- What has become of what was due. Facts say themselves whether they are counted and whether their lift asks something, and
-- are rolled up per journey, lift and quarter of an hour: of ten million facts of a tenant some thousand sums are read.

-- Lifts are summed up by the quarter of an hour in which they were due: the days of all zones begin with one. What was
-- due earlier today is read from the sums as well, and only the quarter under way is counted one by one.
create function quarter_of(at timestamptz) returns timestamptz language sql immutable
  return date_bin('15 minutes', at, '2000-01-01 00:00Z');

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
  is_counted boolean not null default false,
  asked bigint not null default 0,
  suppressed bigint not null default 0,
  expired bigint not null default 0,
  pending bigint not null default 0,
  delivered bigint not null default 0,
  opened_and_delivered bigint not null default 0,
  answered bigint not null default 0,
  due_from timestamptz,
  -- The quarter of an hour in which they close; null: never.
  closes_from timestamptz,
  waiting bigint not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade,
  foreign key (tenant_id, lift_id) references lifts (tenant_id, id) on delete cascade
);
create index lift_tallies_of_journey on lift_tallies (tenant_id, journey_id, lift_id);
create index lift_tallies_of_lift on lift_tallies (tenant_id, lift_id);
-- A number is read from few rows of many days: by when they were due.
create index lift_tallies_by_quarter on lift_tallies (tenant_id, due_from) where is_counted;
select protect_through('lift_tallies', 'journeys', 'journey_id');
grant select on lift_tallies to liftwell_lookup;
create policy lookup_reads on lift_tallies for select to liftwell_lookup using (true);
comment on column lift_tallies.answered is 'Of those that are asked something.';
comment on column lift_tallies.due_from is 'The quarter of an hour in which they were due.';
comment on column lift_tallies.waiting is 'Sent, neither answered nor completed, and its learner still takes part.';

-- How soon lifts are answered: by the quarters of an hour in which they were due and in which their message left, and by
-- the days until the answer.
create table answer_tallies (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  journey_id bigint not null,
  lift_id bigint not null,
  due_from timestamptz not null,
  -- Null: no message left.
  sent_from timestamptz,
  -- Null: nobody answered yet.
  answered_after smallint,
  many bigint not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade,
  foreign key (tenant_id, lift_id) references lifts (tenant_id, id) on delete cascade
);
create index answer_tallies_of_journey on answer_tallies (tenant_id, journey_id, due_from);
create index answer_tallies_of_lift on answer_tallies (tenant_id, lift_id);
select protect_through('answer_tallies', 'journeys', 'journey_id');
comment on table answer_tallies is 'Of lifts that ask something and are counted; changes, summed when they are many.';

-- Of a learner, what tells without their facts of how many people the figures are, whether they were due anything in some
-- days, and whether they are behind.
create table fact_learner (
  tenant_id uuid not null,
  journey_id bigint not null,
  member_id bigint not null,
  user_id bigint not null,
  -- Since when they are counted; null: not at all.
  first_due_at timestamptz,
  -- Of what is counted: the last, and the longest time in which nothing was due, in seconds.
  last_due_at timestamptz,
  longest_gap bigint,
  -- Of what is required and not completed: since when something waits that never closes, and when the last of the others does.
  owes_from timestamptz,
  owes_until timestamptz,
  primary key (tenant_id, member_id),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade,
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade
);
create index fact_learner_of_journey on fact_learner (tenant_id, journey_id, user_id, first_due_at);
-- All journeys of one person. A million learners are counted by the index alone.
create index fact_learner_of_user on fact_learner (tenant_id, user_id) include (journey_id, first_due_at);
-- Who may owe an answer, among a million who do not.
create index fact_learner_owing on fact_learner (tenant_id, journey_id)
  where owes_from is not null or owes_until is not null;
select protect_through('fact_learner', 'journeys', 'journey_id');
grant select on fact_learner to liftwell_lookup;
create policy lookup_reads on fact_learner for select to liftwell_lookup using (true);

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
  asks boolean not null default true,
  -- Of learners who count, due while they took part; by the as-of moment is the reader's question.
  is_counted boolean not null generated always as (not exclude_data and state not in ('cancelled', 'held')
    and due_at is not null and (left_at is null or left_at > due_at)) stored,
  primary key (tenant_id, occurrence_id),
  foreign key (tenant_id, occurrence_id) references occurrences (tenant_id, id) on delete cascade
);
create index fact_occurrence_of_journey on fact_occurrence (tenant_id, journey_id, due_at);
create index fact_occurrence_of_lift on fact_occurrence (tenant_id, lift_id, due_at);
create index fact_occurrence_counted on fact_occurrence (tenant_id, due_at) where is_counted;
-- What is left out of figures is little; whoever asks for it looks through nothing else.
create index fact_occurrence_left_out on fact_occurrence (tenant_id, due_at) where not is_counted;
-- Messages that did not get through are few; whoever asks for their reasons looks through no others.
create index fact_occurrence_ended on fact_occurrence (tenant_id, due_at)
  where is_counted and delivery not in ('accepted', 'pending');
-- What can no longer be answered, without looking through what is done.
create index fact_occurrence_closing on fact_occurrence (tenant_id, lift_id, closes_at)
  where closes_at is not null and responded_at is null and completed_at is null;
-- Who is behind, of whom only who was reached by what waits, and whether a learner was due anything in some days: told by
-- indexes, without a look at the facts themselves.
create index fact_occurrence_open on fact_occurrence (tenant_id, member_id, due_at) include (journey_id, closes_at, state, left_at)
  where is_counted and required and completed_at is null and state <> 'expired';
create index fact_occurrence_of_member on fact_occurrence (tenant_id, member_id, due_at) include (journey_id, is_counted);
-- How many learners of a journey have not completed all that was due.
create index fact_occurrence_uncompleted on fact_occurrence (tenant_id, journey_id, member_id) include (due_at)
  where is_counted and completed_at is null;
select protect_through('fact_occurrence', 'journeys', 'journey_id');
grant select on fact_occurrence to liftwell_lookup;
create policy lookup_reads on fact_occurrence for select to liftwell_lookup using (true);
comment on column fact_occurrence.asks is 'The version that was sent asks something.';

-- Of an update one row tells what changed. Whoever left a journey can answer nothing there any more: nothing waits for
-- them, and they are not behind.
create function tally_facts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into lift_tallies (tenant_id, journey_id, lift_id, due_from, closes_from, is_counted,
      assigned, accepted, opened, responded, completed, unknown, failed, asked, suppressed, expired, pending,
      delivered, opened_and_delivered, answered, waiting)
    select f.tenant_id, f.journey_id, f.lift_id, quarter_of(f.due_at), quarter_of(f.closes_at), f.is_counted,
      count(*), count(f.accepted_at), count(f.opened_at), count(f.responded_at), count(f.completed_at),
      count(*) filter (where f.delivery = 'unknown'), count(*) filter (where f.delivery = 'failed'),
      count(*) filter (where f.asks), count(*) filter (where f.delivery = 'suppressed'),
      count(*) filter (where f.delivery = 'expired'), count(*) filter (where f.delivery = 'pending'),
      count(f.delivered_at), count(f.opened_at) filter (where f.delivered_at is not null),
      count(f.responded_at) filter (where f.asks),
      count(f.accepted_at) filter (where f.responded_at is null and f.completed_at is null and f.left_at is null)
    from new_facts f where f.state not in ('cancelled', 'held') group by 1, 2, 3, 4, 5, 6;
  elsif tg_op = 'DELETE' then
    -- Of a lift or journey that is deleted the sums are deleted, too.
    insert into lift_tallies (tenant_id, journey_id, lift_id, due_from, closes_from, is_counted,
      assigned, accepted, opened, responded, completed, unknown, failed, asked, suppressed, expired, pending,
      delivered, opened_and_delivered, answered, waiting)
    select f.tenant_id, f.journey_id, f.lift_id, quarter_of(f.due_at), quarter_of(f.closes_at), f.is_counted,
      -count(*), -count(f.accepted_at), -count(f.opened_at), -count(f.responded_at), -count(f.completed_at),
      -count(*) filter (where f.delivery = 'unknown'), -count(*) filter (where f.delivery = 'failed'),
      -count(*) filter (where f.asks), -count(*) filter (where f.delivery = 'suppressed'),
      -count(*) filter (where f.delivery = 'expired'), -count(*) filter (where f.delivery = 'pending'),
      -count(f.delivered_at), -count(f.opened_at) filter (where f.delivered_at is not null),
      -count(f.responded_at) filter (where f.asks),
      -count(f.accepted_at) filter (where f.responded_at is null and f.completed_at is null and f.left_at is null)
    from old_facts f join lifts l on l.tenant_id = f.tenant_id and l.id = f.lift_id
    where f.state not in ('cancelled', 'held') group by 1, 2, 3, 4, 5, 6;
  else
    insert into lift_tallies (tenant_id, journey_id, lift_id, due_from, closes_from, is_counted,
      assigned, accepted, opened, responded, completed, unknown, failed, asked, suppressed, expired, pending,
      delivered, opened_and_delivered, answered, waiting)
    select f.tenant_id, f.journey_id, f.lift_id, quarter_of(f.due_at), quarter_of(f.closes_at), f.is_counted,
      sum(f.n), sum(f.n * (f.accepted_at is not null)::int), sum(f.n * (f.opened_at is not null)::int),
      sum(f.n * (f.responded_at is not null)::int), sum(f.n * (f.completed_at is not null)::int),
      sum(f.n * (f.delivery = 'unknown')::int), sum(f.n * (f.delivery = 'failed')::int), sum(f.n * f.asks::int),
      sum(f.n * (f.delivery = 'suppressed')::int), sum(f.n * (f.delivery = 'expired')::int),
      sum(f.n * (f.delivery = 'pending')::int), sum(f.n * (f.delivered_at is not null)::int),
      sum(f.n * (f.opened_at is not null and f.delivered_at is not null)::int),
      sum(f.n * (f.responded_at is not null and f.asks)::int),
      sum(f.n * (f.accepted_at is not null and f.responded_at is null and f.completed_at is null
        and f.left_at is null)::int)
    from (select *, 1 as n from new_facts union all select *, -1 from old_facts) f
    where f.state not in ('cancelled', 'held') group by 1, 2, 3, 4, 5, 6;
  end if;
  return null;
end $$;
create trigger tally_inserted after insert on fact_occurrence
  referencing new table as new_facts for each statement execute function tally_facts();
create trigger tally_updated after update on fact_occurrence
  referencing old table as old_facts new table as new_facts for each statement execute function tally_facts();
create trigger tally_deleted after delete on fact_occurrence
  referencing old table as old_facts for each statement execute function tally_facts();

-- Whole days, of which fourteen and more are one; who found a lift before its message left answered on the first.
create function days_until_answer(accepted_at timestamptz, responded_at timestamptz) returns smallint
  language sql immutable return case
    when responded_at is null then null
    when accepted_at is null or responded_at < accepted_at then 0
    when responded_at >= accepted_at + interval '336 hours' then 14
    else floor(extract(epoch from responded_at - accepted_at) / 86400) end;

create function tally_answers() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into answer_tallies (tenant_id, journey_id, lift_id, due_from, sent_from, answered_after, many)
    select f.tenant_id, f.journey_id, f.lift_id, quarter_of(f.due_at), quarter_of(f.accepted_at),
      days_until_answer(f.accepted_at, f.responded_at), count(*)
    from new_facts f
    where f.is_counted and f.asks and (f.accepted_at is not null or f.responded_at is not null)
    group by 1, 2, 3, 4, 5, 6;
  elsif tg_op = 'UPDATE' then
    insert into answer_tallies (tenant_id, journey_id, lift_id, due_from, sent_from, answered_after, many)
    select f.tenant_id, f.journey_id, f.lift_id, quarter_of(f.due_at), quarter_of(f.accepted_at),
      days_until_answer(f.accepted_at, f.responded_at), sum(f.n)
    from (
      select tenant_id, journey_id, lift_id, due_at, accepted_at, responded_at, is_counted, asks, 1 as n from new_facts
      union all
      select tenant_id, journey_id, lift_id, due_at, accepted_at, responded_at, is_counted, asks, -1 from old_facts) f
    where f.is_counted and f.asks and (f.accepted_at is not null or f.responded_at is not null)
    group by 1, 2, 3, 4, 5, 6 having sum(f.n) <> 0;
  else
    -- Of a lift or journey that is deleted the sums are deleted, too.
    insert into answer_tallies (tenant_id, journey_id, lift_id, due_from, sent_from, answered_after, many)
    select f.tenant_id, f.journey_id, f.lift_id, quarter_of(f.due_at), quarter_of(f.accepted_at),
      days_until_answer(f.accepted_at, f.responded_at), -count(*)
    from old_facts f join lifts l on l.tenant_id = f.tenant_id and l.id = f.lift_id
    where f.is_counted and f.asks and (f.accepted_at is not null or f.responded_at is not null)
    group by 1, 2, 3, 4, 5, 6;
  end if;
  return null;
end $$;
create trigger answers_inserted after insert on fact_occurrence
  referencing new table as new_facts for each statement execute function tally_answers();
create trigger answers_updated after update on fact_occurrence
  referencing old table as old_facts new table as new_facts for each statement execute function tally_answers();
create trigger answers_deleted after delete on fact_occurrence
  referencing old table as old_facts for each statement execute function tally_answers();

create function note_counted_learners() returns trigger language plpgsql as $$
declare
  of_tenant uuid;
  learners bigint[];
begin
  insert into fact_learner (tenant_id, journey_id, member_id, user_id)
  select distinct n.tenant_id, n.journey_id, n.member_id, n.user_id from new_facts n order by n.member_id
  on conflict (tenant_id, member_id) do nothing;
  for of_tenant, learners in select n.tenant_id, array_agg(distinct n.member_id) from new_facts n group by 1
  loop
    perform recount(of_tenant, learners);
  end loop;
  return null;
end $$;
create trigger learners_inserted after insert on fact_occurrence
  referencing new table as new_facts for each statement execute function note_counted_learners();

-- Two who change facts of one learner at once wait for each other first, and each then sees what the other left. Learners
-- are locked once and in order: two changes that move what one is due and complete what the other owes, each the other way
-- round, would wait for each other. What has changed is a difference, as for members (mark_assessments_of_members).
create function recount_learners() returns trigger language plpgsql as $$
declare
  of_tenant uuid;
  learners bigint[];
  moved bigint[];
begin
  if tg_op = 'UPDATE' then
    for of_tenant, learners, moved in
      with moved as (
        select tenant_id, occurrence_id, member_id, is_counted, due_at from new_facts
        except
        select tenant_id, occurrence_id, member_id, is_counted, due_at from old_facts
      ), changed as (
        select tenant_id, occurrence_id, member_id, is_counted, due_at, required, completed_at is null,
          state = 'expired', closes_at, left_at is null from new_facts
        except
        select tenant_id, occurrence_id, member_id, is_counted, due_at, required, completed_at is null,
          state = 'expired', closes_at, left_at is null from old_facts
      )
      select c.tenant_id, array_agg(distinct c.member_id),
        (select array_agg(distinct m.member_id) from moved m where m.tenant_id = c.tenant_id)
      from changed c group by 1
    loop
      perform from fact_learner where tenant_id = of_tenant and member_id = any(learners) order by member_id for update;
      if moved is not null then perform recount_due(of_tenant, moved); end if;
      perform recount_owed(of_tenant, learners);
    end loop;
  else
    for of_tenant, learners in select o.tenant_id, array_agg(distinct o.member_id) from old_facts o group by 1
    loop
      perform recount(of_tenant, learners);
    end loop;
  end if;
  return null;
end $$;
create trigger learners_updated after update on fact_occurrence
  referencing old table as old_facts new table as new_facts for each statement execute function recount_learners();
create trigger learners_deleted after delete on fact_occurrence
  referencing old table as old_facts for each statement execute function recount_learners();

create function recount(of_tenant uuid, learners bigint[]) returns void language plpgsql as $$
begin
  perform from fact_learner where tenant_id = of_tenant and member_id = any(learners) order by member_id for update;
  perform recount_due(of_tenant, learners);
  perform recount_owed(of_tenant, learners);
end $$;

-- These two are for learners who are locked.
create function recount_due(of_tenant uuid, learners bigint[]) returns void language plpgsql as $$
begin
  update fact_learner l
  set first_due_at = counted.first_due_at, last_due_at = counted.last_due_at, longest_gap = counted.longest_gap
  from unnest(learners) as learner (id) cross join lateral (
    select min(f.due_at) as first_due_at, max(f.due_at) as last_due_at, ceil(extract(epoch from max(f.gap)))::bigint as longest_gap
    from (select due_at, due_at - lag(due_at) over (order by due_at) as gap from fact_occurrence
      where tenant_id = of_tenant and member_id = learner.id and is_counted) f) counted
  where l.tenant_id = of_tenant and l.member_id = learner.id
    and (l.first_due_at, l.last_due_at, l.longest_gap)
      is distinct from (counted.first_due_at, counted.last_due_at, counted.longest_gap);
end $$;

create function recount_owed(of_tenant uuid, learners bigint[]) returns void language plpgsql as $$
begin
  update fact_learner l set owes_from = owed.owes_from, owes_until = owed.owes_until
  from unnest(learners) as learner (id) cross join lateral (
    select min(f.due_at) filter (where f.closes_at is null) as owes_from, max(f.closes_at) as owes_until
    from fact_occurrence f where f.tenant_id = of_tenant and f.member_id = learner.id
      and f.is_counted and f.required and f.completed_at is null and f.state <> 'expired'
      and f.left_at is null) owed
  where l.tenant_id = of_tenant and l.member_id = learner.id
    and (l.owes_from, l.owes_until) is distinct from (owed.owes_from, owed.owes_until);
end $$;

-- Active journeys of which every turn is over (completed, or closed, or due so long ago that nobody will come
-- back to it), and journeys with many tallies to sum up.
create function journeys_to_look_after() returns table (tenant_id uuid, id bigint, is_over boolean)
  language sql stable security definer set search_path = public, pg_temp as $$
  select j.tenant_id, j.id, true from journeys j
  where j.status = 'active'
    and exists (select from occurrences o where o.tenant_id = j.tenant_id and o.journey_id = j.id)
    and not exists (select from journey_plans p where p.tenant_id = j.tenant_id and p.journey_id = j.id)
    and not exists (
      select from occurrences o join lifts l on l.tenant_id = o.tenant_id and l.id = o.lift_id
      where o.tenant_id = j.tenant_id and o.journey_id = j.id and o.state not in ('completed', 'cancelled', 'expired')
        and case when o.due_at is null then l.schedule ->> 'kind' = 'manual'
          -- Of most it is said by the first, which costs nothing.
          else coalesce(o.closes_at, o.due_at + interval '14 days') > now()
            and coalesce(o.closes_at, o.due_at + interval '14 days') > tenant_now(j.tenant_id) end)
  union all
  select t.tenant_id, t.journey_id, false from lift_tallies t group by 1, 2
  having count(*) > 20 * count(distinct (t.lift_id, t.due_from, t.closes_from, t.is_counted))
$$;

-- How many learn in a journey, or how many of them have not completed all that was due, by an index alone: asked one by
-- one whether they are in reach, a million learners took nine seconds. Null where not all of the tenant's are seen.
create function count_learners(of_journey bigint, due_by timestamptz, uncompleted boolean) returns bigint
  language plpgsql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  own constant uuid := scope_tenant();
begin
  if own is null or scope_sub_tenant() is not null or scope_is_participant() then return null; end if;
  if uncompleted then
    return (select count(*) from (select distinct f.member_id from fact_occurrence f where f.tenant_id = own
      and f.journey_id = of_journey and f.due_at <= due_by and f.is_counted and f.completed_at is null) counted);
  end if;
  return (select count(*) from fact_learner p where p.tenant_id = own and p.journey_id = of_journey
    and p.first_due_at <= due_by);
end $$;

-- Sponsors, who see neither messages nor facts, are told what became of the message of a lift that they see.
create function delivery_of(occurrence bigint) returns text language sql stable
  security definer set search_path = public, pg_temp as $$
  select delivery from fact_occurrence where tenant_id = scope_tenant() and occurrence_id = occurrence
$$;

-- Functions that look past the policies belong to a role that can do nothing else; it may create only here.
grant create on schema public to liftwell_lookup;
alter function journeys_to_look_after() owner to liftwell_lookup;
alter function count_learners(bigint, timestamptz, boolean) owner to liftwell_lookup;
alter function delivery_of(bigint) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function
  journeys_to_look_after(),
  count_learners(bigint, timestamptz, boolean),
  delivery_of(bigint)
  from public;
grant execute on function
  journeys_to_look_after()
  to liftwell_worker;
grant execute on function
  count_learners(bigint, timestamptz, boolean)
  to liftwell_app, liftwell_worker;
grant execute on function
  delivery_of(bigint)
  to liftwell_app, liftwell_worker, liftwell_owner;
