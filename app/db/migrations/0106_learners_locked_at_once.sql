-- Learners are locked once and in order: two changes that move what one is due and complete what the other owes,
-- each the other way round, waited for each other.
create or replace function recount_learners() returns trigger language plpgsql as $$
declare
  of_tenant uuid;
  learners bigint[];
  moved bigint[];
begin
  if tg_op = 'UPDATE' then
    for of_tenant, learners, moved in
      select n.tenant_id, array_agg(distinct n.member_id),
        array_agg(distinct n.member_id) filter (where (n.is_counted, n.due_at) is distinct from (o.is_counted, o.due_at))
      from new_facts n join old_facts o on o.tenant_id = n.tenant_id and o.occurrence_id = n.occurrence_id
      where (n.is_counted, n.due_at, n.required, n.completed_at is null, n.state = 'expired', n.closes_at, n.left_at is null)
        is distinct from
        (o.is_counted, o.due_at, o.required, o.completed_at is null, o.state = 'expired', o.closes_at, o.left_at is null)
      group by 1
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

create or replace function recount(of_tenant uuid, learners bigint[]) returns void language plpgsql as $$
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

create or replace function recount_owed(of_tenant uuid, learners bigint[]) returns void language plpgsql as $$
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
