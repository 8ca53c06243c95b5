-- Which rows somebody who takes part may see is found once for a statement, not asked of each row: a sponsor of a hundred
-- learners waited half a second.
create function scope_own_members() returns setof bigint language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select m.id from members m where m.tenant_id = scope_tenant()
    and m.user_id = nullif(current_setting('app.user_id', true), '')::bigint and m.state <> 'withdrawn'
$$;

create function scope_sponsored_members() returns setof bigint language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select m.id from members m where m.tenant_id = scope_tenant() and m.sponsor_id in (select scope_own_members())
$$;

create function scope_sponsored_learners() returns setof bigint language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select m.id from members m where m.tenant_id = scope_tenant() and m.sponsor_id in (select scope_own_members())
    and m.role = 'learner' and m.state <> 'withdrawn'
$$;

-- Oneself, one's learners, one's sponsor, those about whom one fills in a form, and those who signed one about these.
create function scope_known_members() returns setof bigint language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select scope_own_members()
  union select scope_sponsored_members()
  union select m.sponsor_id from members m where m.tenant_id = scope_tenant() and m.sponsor_id is not null
    and m.user_id = nullif(current_setting('app.user_id', true), '')::bigint and m.state <> 'withdrawn'
  union select f.subject_id from assessment_forms f where f.tenant_id = scope_tenant()
    and f.rater_id in (select scope_own_members())
  union select f.rater_id from assessment_forms f where f.tenant_id = scope_tenant() and f.rater <> 'peers'
    and f.subject_id in (select scope_own_members() union select scope_sponsored_members())
$$;

alter policy scope_select on members using (tenant_id = scope_tenant() and case when scope_is_participant() then
  id in (select scope_known_members()) else (scope_sub_tenant() is null or exists (select from journeys parent where
  parent.tenant_id = scope_tenant() and parent.id = members.journey_id)) end);
alter policy scope_select on occurrences using (tenant_id = scope_tenant() and case when scope_is_participant() then
  (member_id in (select scope_own_members()) or member_id in (select scope_sponsored_learners()))
  else (scope_sub_tenant() is null or exists (select from journeys parent where
  parent.tenant_id = scope_tenant() and parent.id = occurrences.journey_id)) end);
alter policy scope_select on responses using (tenant_id = scope_tenant() and case when scope_is_participant() then
  (member_id in (select scope_own_members()) or (visibility = 'sponsor' and member_id in (select
  scope_sponsored_learners()))) else (scope_sub_tenant() is null or exists (select from lifts parent where
  parent.tenant_id = scope_tenant() and parent.id = responses.lift_id)) end);

drop function scope_knows_member(bigint);
drop function scope_sponsors_learner(bigint);

-- What is still asked of each row is a look-up by key: planned once on a connection, not for each row.
alter function scope_is_member(bigint) set plan_cache_mode = force_generic_plan;
alter function scope_is_own_member(bigint) set plan_cache_mode = force_generic_plan;
alter function scope_sponsors_member(bigint) set plan_cache_mode = force_generic_plan;
alter function scope_has_turn(bigint) set plan_cache_mode = force_generic_plan;
alter function scope_has_version(bigint, integer) set plan_cache_mode = force_generic_plan;
alter function scope_has_file(uuid) set plan_cache_mode = force_generic_plan;
alter function scope_sponsors_lift(bigint, integer) set plan_cache_mode = force_generic_plan;
alter function prompt_scoring(bigint) set plan_cache_mode = force_generic_plan;
alter function prompt_visibility(bigint) set plan_cache_mode = force_generic_plan;

-- Functions that look past the policies belong to a role that can do nothing else; it may create only here.
grant create on schema public to liftwell_lookup;
alter function scope_own_members() owner to liftwell_lookup;
alter function scope_sponsored_members() owner to liftwell_lookup;
alter function scope_sponsored_learners() owner to liftwell_lookup;
alter function scope_known_members() owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function scope_own_members(), scope_sponsored_members(), scope_sponsored_learners(),
  scope_known_members() from public;
grant execute on function scope_own_members(), scope_sponsored_members(), scope_sponsored_learners(),
  scope_known_members() to liftwell_app, liftwell_worker, liftwell_owner;

-- Who may owe an answer, among a million who do not.
create index fact_learner_owing on fact_learner (tenant_id, journey_id)
  where owes_from is not null or owes_until is not null;
