-- Learners owe only what has reached them (decision 80). Stored with their due times, it is not looked up for each.

-- As in 0010_figures.sql, but for what has reached them, which leaves out what has expired.
create or replace function recount_owed(of_tenant uuid, learners bigint[]) returns void language plpgsql as $$
begin
  update fact_learner l set owes_from = owed.owes_from, owes_until = owed.owes_until
  from unnest(learners) as learner (id) cross join lateral (
    select min(f.due_at) filter (where f.closes_at is null) as owes_from, max(f.closes_at) as owes_until
    from fact_occurrence f where f.tenant_id = of_tenant and f.member_id = learner.id
      and f.is_counted and f.required and f.completed_at is null and f.state <> 'expired'
      and f.state in ('sent', 'opened', 'responded', 'suppressed') and f.left_at is null) owed
  where l.tenant_id = of_tenant and l.member_id = learner.id
    and (l.owes_from, l.owes_until) is distinct from (owed.owes_from, owed.owes_until);
end $$;

create or replace function recount_learners() returns trigger language plpgsql as $$
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
          state in ('sent', 'opened', 'responded', 'suppressed'), closes_at, left_at is null from new_facts
        except
        select tenant_id, occurrence_id, member_id, is_counted, due_at, required, completed_at is null,
          state in ('sent', 'opened', 'responded', 'suppressed'), closes_at, left_at is null from old_facts
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

alter table fact_occurrence no force row level security;
alter table fact_learner no force row level security;
update fact_learner l set owes_from = owed.owes_from, owes_until = owed.owes_until
from fact_learner p left join (
  select tenant_id, member_id, min(due_at) filter (where closes_at is null) as owes_from, max(closes_at) as owes_until
  from fact_occurrence where is_counted and required and completed_at is null and state <> 'expired'
    and state in ('sent', 'opened', 'responded', 'suppressed') and left_at is null
  group by 1, 2) owed using (tenant_id, member_id)
where l.tenant_id = p.tenant_id and l.member_id = p.member_id
  and (l.owes_from, l.owes_until) is distinct from (owed.owes_from, owed.owes_until);
alter table fact_learner force row level security;
alter table fact_occurrence force row level security;

-- Read in order, to the end of counting, by itself.
drop index fact_learner_owing;
create index fact_learner_owing on fact_learner (tenant_id, journey_id, owes_from) include (owes_until, member_id, user_id)
  where owes_from is not null or owes_until is not null;
comment on column fact_learner.owes_from is 'Since when something required waits that reached them and never closes.';
comment on column fact_learner.owes_until is 'When the last closes of what is required, reached them and waits.';
