-- Who takes part in a journey, and what they answer.

create table members (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  journey_id bigint not null,
  user_id bigint not null,
  role text not null check (role in ('learner', 'sponsor', 'facilitator')),
  exclude_data boolean not null default false,
  sponsor_id bigint,
  state text not null default 'invited' check (state in ('invited', 'active', 'completed', 'paused', 'withdrawn')),
  joined_at timestamptz not null default scope_now(),
  left_at timestamptz,
  -- `choice`: a sponsor who was only chosen for a learner, and was never added; without learners they take part no longer.
  source text not null default 'manual' check (source in ('manual', 'csv', 'group', 'link', 'choice')),
  lock_version integer not null default 0,
  primary key (tenant_id, id),
  unique (tenant_id, journey_id, user_id, role),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id),
  foreign key (tenant_id, sponsor_id) references members (tenant_id, id),
  check (sponsor_id is null or sponsor_id <> id)
);
create index members_of_user on members (tenant_id, user_id);
-- A sponsor's learners, and whether somebody is removed who sponsors any, without a look at everybody of the tenant.
create index members_of_sponsor on members (tenant_id, sponsor_id) where sponsor_id is not null;
-- Who takes part, newest first; the few who left, and the few who are not learners, without a walk past all others.
create index members_by_date on members (tenant_id, journey_id, joined_at desc, id desc) where state <> 'withdrawn';
create index members_withdrawn on members (tenant_id, journey_id, joined_at desc, id desc) where state = 'withdrawn';
create index members_with_role on members (tenant_id, journey_id, role, joined_at desc, id desc)
  where role <> 'learner';
-- A journey is of one tenant. Without that PostgreSQL expects a tenth of the participants where a tenth are the tenant's,
-- and sorts all of a large journey where it could read the newest 10,000 along an index.
create statistics members_of_journeys (dependencies) on tenant_id, journey_id from members;
select protect_through('members', 'journeys', 'journey_id');
grant select on members to liftwell_lookup;
create policy lookup_reads on members for select to liftwell_lookup using (true);

create function count_members() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_to_counts(tenant_id, journey_id, 0, count(*)) from new_members
    where role = 'learner' and state <> 'withdrawn' group by tenant_id, journey_id order by journey_id;
  elsif tg_op = 'DELETE' then
    perform add_to_counts(tenant_id, journey_id, 0, -count(*)) from old_members
    where role = 'learner' and state <> 'withdrawn' group by tenant_id, journey_id order by journey_id;
  else
    -- Who begins to read changes their membership and no count, and waits for nobody who holds the journey.
    perform add_to_counts(tenant_id, journey_id, 0, sum(n)) from (
      select tenant_id, journey_id, 1 as n from new_members where role = 'learner' and state <> 'withdrawn'
      union all
      select tenant_id, journey_id, -1 from old_members where role = 'learner' and state <> 'withdrawn') changed
    group by tenant_id, journey_id having sum(n) <> 0 order by journey_id;
  end if;
  return null;
end $$;
create trigger count_inserted after insert on members
  referencing new table as new_members for each statement execute function count_members();
create trigger count_updated after update on members
  referencing old table as old_members new table as new_members for each statement execute function count_members();
create trigger count_deleted after delete on members
  referencing old table as old_members for each statement execute function count_members();

-- Anybody who comes, goes or gets another sponsor, in any way, gets their forms. Beginning to read changes nothing.
-- What a statement has changed is the difference of its rows before and after, never a join of them: the plan of a
-- trigger is kept from its first call, mostly of one row, and for one row it goes through all of them each time.
create function mark_assessments_of_members() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update assessments a set is_stale = true where not is_stale and exists (select from new_members n
      where n.tenant_id = a.tenant_id and n.journey_id = a.journey_id);
  else
    with changed as materialized (
      select distinct tenant_id, journey_id from (
        select tenant_id, id, journey_id, sponsor_id, joined_at, role, state in ('paused', 'withdrawn') from new_members
        except
        select tenant_id, id, journey_id, sponsor_id, joined_at, role, state in ('paused', 'withdrawn') from old_members
      ) as differing
    )
    update assessments a set is_stale = true from changed c
    where a.tenant_id = c.tenant_id and a.journey_id = c.journey_id and not a.is_stale;
  end if;
  return null;
end $$;
create trigger mark_inserted after insert on members
  referencing new table as new_members for each statement execute function mark_assessments_of_members();
create trigger mark_updated after update on members
  referencing old table as old_members new table as new_members for each statement execute function mark_assessments_of_members();
create trigger refuse_erased before insert or update of state on members for each row
  when (new.state <> 'withdrawn') execute function refuse_erased();

-- What authors decide about members is written in many places, also for many at once;
-- that a learner opened a lift is none of it.
create function count_decisions() returns trigger language plpgsql as $$
begin
  new.lock_version := old.lock_version + 1;
  return new;
end $$;
create trigger members_decided before update of role, exclude_data, sponsor_id, state on members
  for each row when (
    old.role <> new.role or old.exclude_data <> new.exclude_data or old.sponsor_id is distinct from new.sponsor_id
    or (old.state = 'withdrawn') <> (new.state = 'withdrawn')
  ) execute function count_decisions();

create table responses (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  member_id bigint not null,
  lift_id bigint not null,
  prompt_id bigint not null,
  prompt_version integer not null,
  value jsonb not null,
  score numeric check (score between 0 and 1),
  channel text not null default 'web' check (channel in ('web', 'sms')),
  is_current boolean not null default true,
  submitted_at timestamptz not null default scope_now(),
  -- Who may read it: what its question promised when it was given, or fewer if that is narrowed later. The widest, which a
  -- trigger narrows to what the question says.
  visibility text not null default 'sponsor' check (visibility in ('learner_only', 'aggregate_only', 'admins', 'sponsor')),
  -- What a person gives an answer: a share of the question's points, and a word about it. What scores itself was scored by
  -- nobody at no time.
  score_comment text not null default '' check (length(score_comment) <= 1000),
  scored_by bigint,
  scored_at timestamptz,
  score_version integer not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade,
  foreign key (tenant_id, lift_id) references lifts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, prompt_id) references prompts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, scored_by) references users (tenant_id, id) on delete set null (scored_by)
);
create unique index responses_current on responses (tenant_id, member_id, prompt_id) where is_current;
create index responses_of_lift on responses (tenant_id, lift_id, prompt_id);
-- The answers of a lift as they are listed: the newest first.
create index responses_by_date on responses (tenant_id, lift_id, submitted_at desc, id desc) where is_current;
create index responses_scored_by on responses (tenant_id, scored_by) where scored_by is not null;
select protect_through('responses', 'lifts', 'lift_id');

create function keep_promise() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  new.visibility := narrower_visibility(new.visibility,
    (select visibility from prompts where tenant_id = new.tenant_id and id = new.prompt_id));
  return new;
end $$;
create trigger keep_promise before insert on responses for each row execute function keep_promise();

-- Functions that look past the policies belong to a role that can do nothing else; it may create only here.
grant create on schema public to liftwell_lookup;
alter function keep_promise() owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function
  keep_promise()
  from public;
