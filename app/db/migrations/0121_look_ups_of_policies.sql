-- What policies look up is planned once on a connection, which companies share: in one of few people each index seemed
-- as good, and with that plan a company of many was read as a whole, for each row. How many are of the tenant is no
-- matter to a plan that does not know it (`(select scope_tenant())`), and what belongs to a row is looked up by its key
-- (`lateral … offset 0`).
create or replace function scope_own_members() returns setof bigint language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan rows 20 as $$
  select m.id from members m where m.tenant_id = (select scope_tenant())
    and m.user_id = nullif(current_setting('app.user_id', true), '')::bigint and m.state <> 'withdrawn'
$$;

create or replace function scope_sponsored_members() returns setof bigint language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan rows 100 as $$
  select m.id from scope_own_members() own (id) cross join lateral (
    select id from members where tenant_id = (select scope_tenant()) and sponsor_id = own.id offset 0) m
$$;

create or replace function scope_sponsored_learners() returns setof bigint language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan rows 100 as $$
  select m.id from scope_own_members() own (id) cross join lateral (
    select id from members where tenant_id = (select scope_tenant()) and sponsor_id = own.id
      and role = 'learner' and state <> 'withdrawn' offset 0) m
$$;

create or replace function scope_known_members() returns setof bigint language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan rows 100 as $$
  with own as materialized (select scope_own_members() as id),
    sponsored as materialized (select scope_sponsored_members() as id)
  select id from own union select id from sponsored
  union select m.sponsor_id from own cross join lateral (
    select sponsor_id from members where tenant_id = (select scope_tenant()) and id = own.id offset 0) m
    where m.sponsor_id is not null
  union select f.subject_id from own cross join lateral (
    select subject_id from assessment_forms where tenant_id = (select scope_tenant()) and rater_id = own.id offset 0) f
  union select f.rater_id from (select id from own union select id from sponsored) known cross join lateral (
    select rater_id from assessment_forms where tenant_id = (select scope_tenant()) and subject_id = known.id
      and rater <> 'peers' offset 0) f
$$;

create or replace function scope_is_sponsor() returns boolean language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select exists (select from (
      select id, journey_id from members where tenant_id = (select scope_tenant())
        and user_id = nullif(current_setting('app.user_id', true), '')::bigint
        and role = 'sponsor' and state <> 'withdrawn' offset 0) own
    cross join lateral (select status from journeys where tenant_id = (select scope_tenant()) and id = own.journey_id offset 0) j
    cross join lateral (select from members where tenant_id = (select scope_tenant()) and sponsor_id = own.id
      and state <> 'withdrawn' limit 1) m
    where j.status in ('scheduled', 'active', 'paused', 'completed'))
$$;

create or replace function scope_is_member(journey bigint) returns boolean language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select exists (select from members m where m.tenant_id = (select scope_tenant()) and m.journey_id = journey
    and m.user_id = nullif(current_setting('app.user_id', true), '')::bigint and m.state <> 'withdrawn')
$$;

create or replace function scope_is_own_member(member bigint) returns boolean language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select exists (select from members m where m.tenant_id = (select scope_tenant()) and m.id = member
    and m.user_id = nullif(current_setting('app.user_id', true), '')::bigint and m.state <> 'withdrawn')
$$;

create or replace function scope_sponsors_member(member bigint) returns boolean language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select exists (select from members m where m.tenant_id = (select scope_tenant()) and m.id = member
    and m.sponsor_id is not null and scope_is_own_member(m.sponsor_id))
$$;

create or replace function scope_has_turn(lift bigint) returns boolean language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select exists (select from (
      select id from members where tenant_id = (select scope_tenant())
        and user_id = nullif(current_setting('app.user_id', true), '')::bigint and state <> 'withdrawn' offset 0) own
    cross join lateral (select from occurrences
      where tenant_id = (select scope_tenant()) and member_id = own.id and lift_id = lift offset 0) o)
$$;

create or replace function scope_has_version(lift bigint, of_version integer) returns boolean language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select exists (select from (
      select id from members where tenant_id = (select scope_tenant())
        and user_id = nullif(current_setting('app.user_id', true), '')::bigint and state <> 'withdrawn' offset 0) own
    cross join lateral (select from occurrences
      where tenant_id = (select scope_tenant()) and member_id = own.id and lift_id = lift
        and content_version = of_version and due_at <= scope_now() and state not in ('held', 'cancelled') offset 0) o)
$$;

create or replace function scope_sponsors_lift(lift bigint, of_version integer) returns boolean language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select exists (select from (
      select id from members where tenant_id = (select scope_tenant())
        and user_id = nullif(current_setting('app.user_id', true), '')::bigint and state <> 'withdrawn' offset 0) own
    cross join lateral (select id from members
      where tenant_id = (select scope_tenant()) and sponsor_id = own.id and state <> 'withdrawn' offset 0) m
    cross join lateral (select from occurrences
      where tenant_id = (select scope_tenant()) and member_id = m.id and lift_id = lift
        and (of_version is null or content_version = of_version) offset 0) o)
$$;

create or replace function scope_has_file(file uuid) returns boolean language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select exists (select from file_uses u where u.tenant_id = (select scope_tenant()) and u.file_id = file
    and scope_has_version(u.lift_id, u.version))
$$;

create or replace function prompt_scoring(prompt bigint) returns table (scoring text, max_score numeric) language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan rows 1 as $$
  select scoring, max_score from prompts where tenant_id = (select scope_tenant()) and id = prompt and retired_on is null
$$;

create or replace function prompt_visibility(prompt bigint) returns text language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select visibility from prompts where tenant_id = (select scope_tenant()) and id = prompt
$$;
