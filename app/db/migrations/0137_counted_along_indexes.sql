-- Lists of journeys, of participants and of the audit log are counted as people are: along an index alone, or by what a
-- journey keeps. Null where not all are seen, and where they are narrowed by two things.

-- Counted from the oldest: what is newest was not vacuumed yet, so that PostgreSQL would look at the rows themselves.
create index journeys_in_category on journeys (tenant_id, category, created_on desc, id desc) where category is not null;

create function count_journeys(most integer, of_statuses text[] default null, of_categories text[] default null,
  of_authors bigint[] default null) returns integer
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  own constant uuid := scope_tenant();
begin
  if own is null or scope_sub_tenant() is not null or scope_is_participant()
    or num_nonnulls(of_statuses, of_categories, of_authors) > 1 then return null; end if;
  if of_statuses is not null then
    return (select count(*) from (select from journeys j where j.tenant_id = own and j.status = any (of_statuses)
      order by j.status limit most) counted);
  elsif of_categories is not null then
    return (select count(*) from (select from journeys j where j.tenant_id = own and j.category = any (of_categories)
      order by j.category limit most) counted);
  elsif of_authors is not null then
    return (select count(*) from (select from journeys j where j.tenant_id = own and j.author_id = any (of_authors)
      order by j.author_id limit most) counted);
  end if;
  return (select count(*) from (select from journeys j where j.tenant_id = own order by j.created_on limit most) counted);
end $$;

-- Those who did not withdraw: a journey keeps how many learners it has, all others are few.
create function count_members(of_journey bigint, most integer, of_role text default null) returns integer
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  own constant uuid := scope_tenant();
  learners integer := 0;
begin
  if own is null or scope_sub_tenant() is not null or scope_is_participant() then return null; end if;
  if of_role is null or of_role = 'learner' then
    learners := (select j.learner_count from journeys j where j.tenant_id = own and j.id = of_journey);
    if learners is null then return null; end if;
  end if;
  if of_role = 'learner' or learners >= most then return least(learners, most); end if;
  return least(most, learners + (select count(*) from (select from members m where m.tenant_id = own
    and m.journey_id = of_journey and m.role <> 'learner' and (of_role is null or m.role = of_role)
    and m.state <> 'withdrawn' limit most) counted));
end $$;

create function count_audit_events(most integer, of_actions text[] default null, of_actor bigint default null,
  since timestamptz default null, until timestamptz default null) returns integer
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  own constant uuid := scope_tenant();
  first constant timestamptz := coalesce(since, '-infinity');
  beyond constant timestamptz := coalesce(until, 'infinity');
begin
  if own is null or scope_sub_tenant() is not null or scope_is_participant()
    or num_nonnulls(of_actions, of_actor) > 1 then return null; end if;
  if of_actions is not null then
    return (select count(*) from (select from unnest(of_actions) wanted (action) cross join lateral (
      select from audit_events e where e.tenant_id = own and e.action = wanted.action and e.at >= first and e.at < beyond
      order by e.at limit most) of_action limit most) counted);
  elsif of_actor is not null then
    return (select count(*) from (select from audit_events e where e.tenant_id = own and e.actor_id = of_actor
      and e.at >= first and e.at < beyond order by e.at limit most) counted);
  end if;
  return (select count(*) from (select from audit_events e where e.tenant_id = own
    and e.at >= first and e.at < beyond order by e.at limit most) counted);
end $$;

alter table audit_events set (autovacuum_vacuum_insert_scale_factor = 0.02);

grant create on schema public to liftwell_lookup;
alter function count_journeys(integer, text[], text[], bigint[]) owner to liftwell_lookup;
alter function count_members(bigint, integer, text) owner to liftwell_lookup;
alter function count_audit_events(integer, text[], bigint, timestamptz, timestamptz) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function count_journeys(integer, text[], text[], bigint[]), count_members(bigint, integer, text),
  count_audit_events(integer, text[], bigint, timestamptz, timestamptz) from public;
grant execute on function count_journeys(integer, text[], text[], bigint[]), count_members(bigint, integer, text),
  count_audit_events(integer, text[], bigint, timestamptz, timestamptz) to liftwell_app, liftwell_worker;
