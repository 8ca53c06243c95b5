-- How soon lifts are answered is rolled up like what became of them: by the quarters of an hour in which they were due and
-- in which their message left, and by the days until the answer. Of millions of facts some thousand sums are read.

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
comment on table answer_tallies is 'Of lifts that ask something and are counted; changes, summed when they are many.';
create index answer_tallies_of_journey on answer_tallies (tenant_id, journey_id, due_from);
create index answer_tallies_of_lift on answer_tallies (tenant_id, lift_id);
select protect_through('answer_tallies', 'journeys', 'journey_id');

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

-- What there is already. Nobody else is at work while tables are changed.
alter table fact_occurrence no force row level security;
alter table answer_tallies no force row level security;
insert into answer_tallies (tenant_id, journey_id, lift_id, due_from, sent_from, answered_after, many)
select f.tenant_id, f.journey_id, f.lift_id, quarter_of(f.due_at), quarter_of(f.accepted_at),
  days_until_answer(f.accepted_at, f.responded_at), count(*)
from fact_occurrence f
where f.is_counted and f.asks and (f.accepted_at is not null or f.responded_at is not null)
group by 1, 2, 3, 4, 5, 6;
alter table fact_occurrence force row level security;
alter table answer_tallies force row level security;

-- Whether a learner is behind is found without looking at what is done, or can no longer be done.
create index fact_occurrence_open on fact_occurrence (tenant_id, member_id, due_at, coalesce(closes_at, 'infinity'))
  where is_counted and required and completed_at is null;
-- Of one learner the facts of some days are found as well.
drop index fact_occurrence_of_member;
create index fact_occurrence_of_member on fact_occurrence (tenant_id, member_id, due_at);
-- What is left out of figures is little; whoever asks for it looks through nothing else.
create index fact_occurrence_left_out on fact_occurrence (tenant_id, due_at) where not is_counted;
