-- What a statement has changed is the difference of its rows before and after, never a join of them: the plan of a
-- trigger is kept from its first call, mostly of one row, and for one row it goes through all of them each time.

create or replace function mark_assessments_of_members() returns trigger language plpgsql as $$
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
