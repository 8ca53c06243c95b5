-- How many learners there are is added up, not counted one by one (decision 85). As in 0010_figures.sql, changes are
-- appended and folded into sums, so that nobody waits for another.

create table learner_tallies (
  tenant_id uuid not null references tenants (id) on delete cascade,
  id bigint not null generated always as identity,
  -- Null: of the whole tenant, where each person counts once.
  journey_id bigint,
  begun_from timestamptz not null,
  many bigint not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade
);
comment on column learner_tallies.begun_from is 'The quarter of an hour in which their first lift was due.';

-- When people's first lift was due in any journey, as far as it is in the sums of the tenant.
create table fact_user (
  tenant_id uuid not null references tenants (id) on delete cascade,
  user_id bigint not null,
  first_due_at timestamptz not null,
  primary key (tenant_id, user_id)
);

-- People of whom that may have changed since: looked up one by one until a job has put them into the sums. Were they
-- put there at once, those who launch two journeys for the same people would wait for each other.
create table fact_user_changes (
  tenant_id uuid not null references tenants (id) on delete cascade,
  id bigint not null generated always as identity,
  user_id bigint not null,
  primary key (tenant_id, id)
);

alter table fact_learner no force row level security;
insert into fact_user (tenant_id, user_id, first_due_at)
  select tenant_id, user_id, min(first_due_at) from fact_learner where first_due_at is not null group by 1, 2;
insert into learner_tallies (tenant_id, journey_id, begun_from, many)
  select tenant_id, journey_id, quarter_of(first_due_at), count(*) from fact_learner where first_due_at is not null group by 1, 2, 3
  union all select tenant_id, null::bigint, quarter_of(first_due_at), count(*) from fact_user group by 1, 3;
alter table fact_learner force row level security;

create index learner_tallies_of_journey on learner_tallies (tenant_id, journey_id, begun_from);
-- Who begins later in the quarter of an hour that is under way.
create index fact_user_begun on fact_user (tenant_id, first_due_at);
create index fact_learner_begun on fact_learner (tenant_id, journey_id, first_due_at);
select protect_through('learner_tallies', 'journeys', 'journey_id');
select protect('fact_user');
select protect('fact_user_changes');
grant select on fact_user_changes to liftwell_lookup;
create policy lookup_reads on fact_user_changes for select to liftwell_lookup using (true);
-- What is deleted with a journey is deleted as the owner, also where there is no scope.
create policy owner_adds on fact_user_changes for insert to liftwell_owner with check (true);

create function tally_learners() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into learner_tallies (tenant_id, journey_id, begun_from, many)
    select tenant_id, journey_id, quarter_of(first_due_at), count(*) from new_learners
    where first_due_at is not null group by 1, 2, 3;
    insert into fact_user_changes (tenant_id, user_id)
    select tenant_id, user_id from new_learners where first_due_at is not null;
  elsif tg_op = 'UPDATE' then
    insert into learner_tallies (tenant_id, journey_id, begun_from, many)
    select tenant_id, journey_id, quarter_of(first_due_at), sum(n)
    from (select *, 1 as n from new_learners union all select *, -1 from old_learners) l
    where first_due_at is not null group by 1, 2, 3 having sum(n) <> 0;
    insert into fact_user_changes (tenant_id, user_id)
    select n.tenant_id, n.user_id from new_learners n join old_learners o using (tenant_id, member_id)
    where n.first_due_at is distinct from o.first_due_at;
  else
    -- Of a journey that is deleted the sums are deleted, too.
    insert into learner_tallies (tenant_id, journey_id, begun_from, many)
    select o.tenant_id, o.journey_id, quarter_of(o.first_due_at), -count(*)
    from old_learners o join journeys j on j.tenant_id = o.tenant_id and j.id = o.journey_id
    where o.first_due_at is not null group by 1, 2, 3;
    insert into fact_user_changes (tenant_id, user_id)
    select o.tenant_id, o.user_id from old_learners o join tenants t on t.id = o.tenant_id where o.first_due_at is not null;
  end if;
  return null;
end $$;
create trigger tally_inserted after insert on fact_learner
  referencing new table as new_learners for each statement execute function tally_learners();
create trigger tally_updated after update on fact_learner
  referencing old table as old_learners new table as new_learners for each statement execute function tally_learners();
create trigger tally_deleted after delete on fact_learner
  referencing old table as old_learners for each statement execute function tally_learners();

create function tenants_with_changed_learners() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as $$
  select distinct tenant_id from fact_user_changes
$$;
grant create on schema public to liftwell_lookup;
alter function tenants_with_changed_learners() owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function tenants_with_changed_learners() from public;
grant execute on function tenants_with_changed_learners() to liftwell_worker;
