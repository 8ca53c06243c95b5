-- The scope says in which capacity somebody sees a journey. Those who look after journeys see the ones of their place,
-- and no membership shows them another. As a participant (app.participant) the same person sees the journeys in which
-- they take part, wherever these belong, and of them only what a participant may read.

-- Inside a sub-tenant: whether the journey is the sub-tenant's own, and not only shown there.
create function scope_has_journey(journey bigint) returns boolean language sql stable
  as $$ select exists (select from journeys j where j.tenant_id = scope_tenant() and j.id = journey
    and j.sub_tenant_id = scope_sub_tenant()) $$;

create function scope_has_lift(lift bigint) returns boolean language sql stable
  as $$ select exists (select from lifts l where l.tenant_id = scope_tenant() and l.id = lift
    and scope_has_journey(l.journey_id)) $$;

create function scope_has_prompt(prompt bigint) returns boolean language sql stable
  as $$ select exists (select from prompts p where p.tenant_id = scope_tenant() and p.id = prompt
    and scope_has_lift(p.lift_id)) $$;

-- Who learns in a journey of another part reads what was written for it there, and writes none of it.
create function scope_has_assessment(assessment bigint) returns boolean language sql stable
  as $$ select exists (select from assessments a where a.tenant_id = scope_tenant() and a.id = assessment
    and scope_has_journey(a.journey_id)) $$;

-- What participants' policies ask, always about the person who is asking. Which rows somebody may see is found once for a
-- statement (`scope_own_members` and the like), and what is still asked of each row is a look-up by key. Both are planned
-- once on a connection, which companies share: in one of few people each index seems as good, and with that plan a company
-- of many would be read as a whole, for each row. How many are of the tenant is no matter to a plan that does not know it
-- (`(select scope_tenant())`), and what belongs to a row is looked up by its key (`lateral … offset 0`).
create function scope_own_members() returns setof bigint language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan rows 20 as $$
  select m.id from members m where m.tenant_id = (select scope_tenant())
    and m.user_id = nullif(current_setting('app.user_id', true), '')::bigint and m.state <> 'withdrawn'
$$;

create function scope_sponsored_members() returns setof bigint language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan rows 100 as $$
  select m.id from scope_own_members() own (id) cross join lateral (
    select id from members where tenant_id = (select scope_tenant()) and sponsor_id = own.id offset 0) m
$$;

-- One's learners for as long as they take part; whoever left, or has another sponsor now, is nobody's business here.
create function scope_sponsored_learners() returns setof bigint language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan rows 100 as $$
  select m.id from scope_own_members() own (id) cross join lateral (
    select id from members where tenant_id = (select scope_tenant()) and sponsor_id = own.id
      and role = 'learner' and state <> 'withdrawn' offset 0) m
$$;

-- Oneself, one's learners, one's sponsor, those about whom one fills in a form, and those who signed one about these.
create function scope_known_members() returns setof bigint language sql stable
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

-- Whether the person of the scope sponsors anybody now, wherever the journeys belong: asked with every page.
create function scope_is_sponsor() returns boolean language sql stable
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

-- A journey of the whole tenant is there for its members also inside a sub-tenant.
create function scope_is_member(journey bigint) returns boolean language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select exists (select from members m where m.tenant_id = (select scope_tenant()) and m.journey_id = journey
    and m.user_id = nullif(current_setting('app.user_id', true), '')::bigint and m.state <> 'withdrawn')
$$;

create function scope_is_own_member(member bigint) returns boolean language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select exists (select from members m where m.tenant_id = (select scope_tenant()) and m.id = member
    and m.user_id = nullif(current_setting('app.user_id', true), '')::bigint and m.state <> 'withdrawn')
$$;

create function scope_sponsors_member(member bigint) returns boolean language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select exists (select from members m where m.tenant_id = (select scope_tenant()) and m.id = member
    and m.sponsor_id is not null and scope_is_own_member(m.sponsor_id))
$$;

-- Lifts that one gets, and their versions that have come to one.
create function scope_has_turn(lift bigint) returns boolean language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select exists (select from (
      select id from members where tenant_id = (select scope_tenant())
        and user_id = nullif(current_setting('app.user_id', true), '')::bigint and state <> 'withdrawn' offset 0) own
    cross join lateral (select from occurrences
      where tenant_id = (select scope_tenant()) and member_id = own.id and lift_id = lift offset 0) o)
$$;

create function scope_has_version(lift bigint, of_version integer) returns boolean language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select exists (select from (
      select id from members where tenant_id = (select scope_tenant())
        and user_id = nullif(current_setting('app.user_id', true), '')::bigint and state <> 'withdrawn' offset 0) own
    cross join lateral (select from occurrences
      where tenant_id = (select scope_tenant()) and member_id = own.id and lift_id = lift
        and content_version = of_version and due_at <= scope_now() and state not in ('held', 'cancelled') offset 0) o)
$$;

create function scope_sponsors_lift(lift bigint, of_version integer) returns boolean language sql stable
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

create function scope_has_file(file uuid) returns boolean language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select exists (select from file_uses u where u.tenant_id = (select scope_tenant()) and u.file_id = file
    and scope_has_version(u.lift_id, u.version))
$$;

-- Participants cannot read questions as authors see them, with what is right; who reads the answers, who scores them, and of
-- how much, is no secret.
create function prompt_visibility(prompt bigint) returns text language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select visibility from prompts where tenant_id = (select scope_tenant()) and id = prompt
$$;

create function prompt_scoring(prompt bigint) returns table (scoring text, max_score numeric) language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan rows 1 as $$
  select scoring, max_score from prompts where tenant_id = (select scope_tenant()) and id = prompt and retired_on is null
$$;

alter policy scope_select on journeys using (tenant_id = scope_tenant() and case when scope_is_participant() then
  scope_is_member(id) else (scope_sub_tenant() is null or sub_tenant_id = scope_sub_tenant()) end);
alter policy scope_insert on journeys with check (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  sub_tenant_id = scope_sub_tenant()) and not scope_is_participant());
alter policy scope_update on journeys using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  sub_tenant_id = scope_sub_tenant()) and not scope_is_participant()) with check (tenant_id = scope_tenant() and
  (scope_sub_tenant() is null or sub_tenant_id = scope_sub_tenant()) and not scope_is_participant());
alter policy scope_delete on journeys using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  sub_tenant_id = scope_sub_tenant()) and not scope_is_participant());

alter policy scope_insert on learning_objectives with check (tenant_id = scope_tenant() and (scope_sub_tenant() is
  null or scope_has_journey(journey_id)) and not scope_is_participant());
alter policy scope_update on learning_objectives using (tenant_id = scope_tenant() and (scope_sub_tenant() is null
  or scope_has_journey(journey_id)) and not scope_is_participant()) with check (tenant_id = scope_tenant() and
  (scope_sub_tenant() is null or scope_has_journey(journey_id)) and not scope_is_participant());
alter policy scope_delete on learning_objectives using (tenant_id = scope_tenant() and (scope_sub_tenant() is null
  or scope_has_journey(journey_id)) and not scope_is_participant());

alter policy scope_select on lifts using (tenant_id = scope_tenant() and case when scope_is_participant() then
  (scope_has_turn(id) or scope_sponsors_lift(id, null)) else (scope_sub_tenant() is null or exists (select from
  journeys parent where parent.tenant_id = scope_tenant() and parent.id = lifts.journey_id)) end);
alter policy scope_insert on lifts with check (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_journey(journey_id)) and not scope_is_participant());
alter policy scope_update on lifts using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_journey(journey_id)) and not scope_is_participant()) with check (tenant_id = scope_tenant() and
  (scope_sub_tenant() is null or scope_has_journey(journey_id)) and not scope_is_participant());
alter policy scope_delete on lifts using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_journey(journey_id)) and not scope_is_participant());

alter policy scope_insert on prompts with check (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_lift(lift_id)) and not scope_is_participant());
alter policy scope_update on prompts using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_lift(lift_id)) and not scope_is_participant()) with check (tenant_id = scope_tenant() and
  (scope_sub_tenant() is null or scope_has_lift(lift_id)) and not scope_is_participant());
alter policy scope_delete on prompts using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_lift(lift_id)) and not scope_is_participant());

alter policy scope_insert on lift_objectives with check (tenant_id = scope_tenant() and (scope_sub_tenant() is null
  or scope_has_lift(lift_id)) and not scope_is_participant());
alter policy scope_update on lift_objectives using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_lift(lift_id)) and not scope_is_participant()) with check (tenant_id = scope_tenant() and
  (scope_sub_tenant() is null or scope_has_lift(lift_id)) and not scope_is_participant());
alter policy scope_delete on lift_objectives using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_lift(lift_id)) and not scope_is_participant());

alter policy scope_insert on prompt_objectives with check (tenant_id = scope_tenant() and (scope_sub_tenant() is
  null or scope_has_prompt(prompt_id)) and not scope_is_participant());
alter policy scope_update on prompt_objectives using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_prompt(prompt_id)) and not scope_is_participant()) with check (tenant_id = scope_tenant() and
  (scope_sub_tenant() is null or scope_has_prompt(prompt_id)) and not scope_is_participant());
alter policy scope_delete on prompt_objectives using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_prompt(prompt_id)) and not scope_is_participant());

alter policy scope_select on lift_versions using (tenant_id = scope_tenant() and case when scope_is_participant()
  then (scope_has_version(lift_id, version) or scope_sponsors_lift(lift_id, version)) else (scope_sub_tenant() is null
  or exists (select from lifts parent where parent.tenant_id = scope_tenant() and parent.id = lift_versions.lift_id)) end);
alter policy scope_insert on lift_versions with check (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_lift(lift_id)) and not scope_is_participant());
alter policy scope_update on lift_versions using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_lift(lift_id)) and not scope_is_participant()) with check (tenant_id = scope_tenant() and
  (scope_sub_tenant() is null or scope_has_lift(lift_id)) and not scope_is_participant());
alter policy scope_delete on lift_versions using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_lift(lift_id)) and not scope_is_participant());

alter policy scope_select on files using (tenant_id = scope_tenant() and case when scope_is_participant() then
  scope_has_file(id) else (scope_sub_tenant() is null or (sub_tenant_id is null) or sub_tenant_id =
  scope_sub_tenant()) end);
alter policy scope_insert on files with check (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  sub_tenant_id = scope_sub_tenant()) and not scope_is_participant());
alter policy scope_update on files using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  sub_tenant_id = scope_sub_tenant()) and not scope_is_participant()) with check (tenant_id = scope_tenant() and
  (scope_sub_tenant() is null or sub_tenant_id = scope_sub_tenant()) and not scope_is_participant());
alter policy scope_delete on files using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  sub_tenant_id = scope_sub_tenant()) and not scope_is_participant());

alter policy scope_select on file_uses using (tenant_id = scope_tenant() and case when scope_is_participant() then
  scope_has_version(lift_id, version) else (scope_sub_tenant() is null or exists (select from lifts parent where
  parent.tenant_id = scope_tenant() and parent.id = file_uses.lift_id)) end);
alter policy scope_insert on file_uses with check (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_lift(lift_id)) and not scope_is_participant());
alter policy scope_update on file_uses using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_lift(lift_id)) and not scope_is_participant()) with check (tenant_id = scope_tenant() and
  (scope_sub_tenant() is null or scope_has_lift(lift_id)) and not scope_is_participant());
alter policy scope_delete on file_uses using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_lift(lift_id)) and not scope_is_participant());

alter policy scope_select on members using (tenant_id = scope_tenant() and case when scope_is_participant() then
  id in (select scope_known_members()) else (scope_sub_tenant() is null or exists (select from journeys parent where
  parent.tenant_id = scope_tenant() and parent.id = members.journey_id)) end);
alter policy scope_update on members using (tenant_id = scope_tenant() and case when scope_is_participant() then
  (scope_is_own_member(id) and scope_is_member(journey_id) and (user_id = (NULLIF(current_setting('app.user_id',
  true), ''))::bigint)) else (scope_sub_tenant() is null or exists (select from journeys parent where
  parent.tenant_id = scope_tenant() and parent.id = members.journey_id)) end) with check (tenant_id = scope_tenant()
  and case when scope_is_participant() then (scope_is_own_member(id) and scope_is_member(journey_id) and (user_id =
  (NULLIF(current_setting('app.user_id', true), ''))::bigint)) else (scope_sub_tenant() is null or exists (select
  from journeys parent where parent.tenant_id = scope_tenant() and parent.id = members.journey_id)) end);

alter policy scope_select on responses using (tenant_id = scope_tenant() and case when scope_is_participant() then
  (member_id in (select scope_own_members()) or (visibility = 'sponsor' and member_id in (select
  scope_sponsored_learners()))) else (scope_sub_tenant() is null or exists (select from lifts parent where
  parent.tenant_id = scope_tenant() and parent.id = responses.lift_id)) end);
alter policy scope_insert on responses with check (tenant_id = scope_tenant() and case when scope_is_participant()
  then scope_is_own_member(member_id) else (scope_sub_tenant() is null or exists (select from lifts parent where
  parent.tenant_id = scope_tenant() and parent.id = responses.lift_id)) end);
alter policy scope_update on responses using (tenant_id = scope_tenant() and case when scope_is_participant() then
  scope_is_own_member(member_id) else (scope_sub_tenant() is null or exists (select from lifts parent where
  parent.tenant_id = scope_tenant() and parent.id = responses.lift_id)) end) with check (tenant_id = scope_tenant()
  and case when scope_is_participant() then scope_is_own_member(member_id) else (scope_sub_tenant() is null or
  exists (select from lifts parent where parent.tenant_id = scope_tenant() and parent.id = responses.lift_id)) end);

-- Whoever reads the answer reads what became of it. Whether one sees the answer is looked up for each: `exists` let a plan
-- that was kept read all answers of the company first.
alter policy scope_select on commitments using (tenant_id = scope_tenant() and case when scope_is_participant()
  then (select true from responses r where r.tenant_id = scope_tenant() and r.id = response_id) is true
  else scope_sub_tenant() is null or exists (select from journeys parent where parent.tenant_id = scope_tenant() and
  parent.id = commitments.journey_id) end);
alter policy scope_insert on commitments with check (tenant_id = scope_tenant() and case when scope_is_participant()
  then scope_is_own_member(member_id) else scope_sub_tenant() is null or exists (select from journeys parent where
  parent.tenant_id = scope_tenant() and parent.id = commitments.journey_id) end);
alter policy scope_update on commitments using (tenant_id = scope_tenant() and case when scope_is_participant()
  then scope_is_own_member(member_id) else scope_sub_tenant() is null or exists (select from journeys parent where
  parent.tenant_id = scope_tenant() and parent.id = commitments.journey_id) end)
  with check (tenant_id = scope_tenant() and case when scope_is_participant()
  then scope_is_own_member(member_id) else scope_sub_tenant() is null or exists (select from journeys parent where
  parent.tenant_id = scope_tenant() and parent.id = commitments.journey_id) end);

alter policy scope_select on commitment_events using (tenant_id = scope_tenant() and case when scope_is_participant()
  then (select true from responses r where r.tenant_id = scope_tenant() and r.id = response_id) is true
  else scope_sub_tenant() is null or exists (select from journeys parent where parent.tenant_id = scope_tenant() and
  parent.id = commitment_events.journey_id) end);
alter policy scope_insert on commitment_events with check (tenant_id = scope_tenant() and case when scope_is_participant()
  then scope_is_own_member(member_id) else scope_sub_tenant() is null or exists (select from journeys parent where
  parent.tenant_id = scope_tenant() and parent.id = commitment_events.journey_id) end);

alter policy scope_select on encouragements using (tenant_id = scope_tenant() and case when scope_is_participant()
  then (scope_is_own_member(member_id) or scope_is_own_member(sponsor_id)) else scope_sub_tenant() is null or exists
  (select from journeys parent where parent.tenant_id = scope_tenant() and parent.id = encouragements.journey_id) end);

alter policy scope_select on occurrences using (tenant_id = scope_tenant() and case when scope_is_participant() then
  (member_id in (select scope_own_members()) or member_id in (select scope_sponsored_learners()))
  else (scope_sub_tenant() is null or exists (select from journeys parent where
  parent.tenant_id = scope_tenant() and parent.id = occurrences.journey_id)) end);
alter policy scope_update on occurrences using (tenant_id = scope_tenant() and case when scope_is_participant() then
  scope_is_own_member(member_id) else (scope_sub_tenant() is null or exists (select from journeys parent where
  parent.tenant_id = scope_tenant() and parent.id = occurrences.journey_id)) end) with check (tenant_id =
  scope_tenant() and case when scope_is_participant() then scope_is_own_member(member_id) else (scope_sub_tenant()
  is null or exists (select from journeys parent where parent.tenant_id = scope_tenant() and parent.id =
  occurrences.journey_id)) end);

alter policy scope_select on assessments using (tenant_id = scope_tenant() and case when scope_is_participant() then
  scope_is_member(journey_id) else (scope_sub_tenant() is null or exists (select from journeys parent where
  parent.tenant_id = scope_tenant() and parent.id = assessments.journey_id)) end);
alter policy scope_insert on assessments with check (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_journey(journey_id)) and not scope_is_participant());
alter policy scope_update on assessments using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_journey(journey_id)) and not scope_is_participant()) with check (tenant_id = scope_tenant() and
  (scope_sub_tenant() is null or scope_has_journey(journey_id)) and not scope_is_participant());
alter policy scope_delete on assessments using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_journey(journey_id)) and not scope_is_participant());

alter policy scope_select on assessment_items using (tenant_id = scope_tenant() and case when scope_is_participant()
  then exists (select from assessments a where a.tenant_id = scope_tenant() and a.id =
  assessment_items.assessment_id) else (scope_sub_tenant() is null or exists (select from assessments parent where
  parent.tenant_id = scope_tenant() and parent.id = assessment_items.assessment_id)) end);
alter policy scope_insert on assessment_items with check (tenant_id = scope_tenant() and (scope_sub_tenant() is null
  or scope_has_assessment(assessment_id)) and not scope_is_participant());
alter policy scope_update on assessment_items using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_assessment(assessment_id)) and not scope_is_participant()) with check (tenant_id = scope_tenant() and
  (scope_sub_tenant() is null or scope_has_assessment(assessment_id)) and not scope_is_participant());
alter policy scope_delete on assessment_items using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or
  scope_has_assessment(assessment_id)) and not scope_is_participant());

alter policy scope_select on assessment_forms using (tenant_id = scope_tenant() and case when scope_is_participant()
  then (scope_is_own_member(rater_id) or (rater <> 'peers' and (scope_is_own_member(subject_id) or
  scope_sponsors_member(subject_id)))) else (scope_sub_tenant() is null or exists (select from journeys parent where
  parent.tenant_id = scope_tenant() and parent.id = assessment_forms.journey_id)) end);
alter policy scope_update on assessment_forms using (tenant_id = scope_tenant() and case when scope_is_participant()
  then scope_is_own_member(rater_id) else (scope_sub_tenant() is null or exists (select from journeys parent where
  parent.tenant_id = scope_tenant() and parent.id = assessment_forms.journey_id)) end) with check (tenant_id =
  scope_tenant() and case when scope_is_participant() then scope_is_own_member(rater_id) else (scope_sub_tenant() is
  null or exists (select from journeys parent where parent.tenant_id = scope_tenant() and parent.id =
  assessment_forms.journey_id)) end);

-- Functions that look past the policies belong to a role that can do nothing else; it may create only here.
grant create on schema public to liftwell_lookup;
alter function scope_own_members() owner to liftwell_lookup;
alter function scope_sponsored_members() owner to liftwell_lookup;
alter function scope_sponsored_learners() owner to liftwell_lookup;
alter function scope_known_members() owner to liftwell_lookup;
alter function scope_is_sponsor() owner to liftwell_lookup;
alter function scope_is_member(bigint) owner to liftwell_lookup;
alter function scope_is_own_member(bigint) owner to liftwell_lookup;
alter function scope_sponsors_member(bigint) owner to liftwell_lookup;
alter function scope_has_turn(bigint) owner to liftwell_lookup;
alter function scope_has_version(bigint, integer) owner to liftwell_lookup;
alter function scope_sponsors_lift(bigint, integer) owner to liftwell_lookup;
alter function scope_has_file(uuid) owner to liftwell_lookup;
alter function prompt_visibility(bigint) owner to liftwell_lookup;
alter function prompt_scoring(bigint) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function
  scope_own_members(),
  scope_sponsored_members(),
  scope_sponsored_learners(),
  scope_known_members(),
  scope_is_sponsor(),
  scope_is_member(bigint),
  scope_is_own_member(bigint),
  scope_sponsors_member(bigint),
  scope_has_turn(bigint),
  scope_has_version(bigint, integer),
  scope_sponsors_lift(bigint, integer),
  scope_has_file(uuid),
  prompt_visibility(bigint),
  prompt_scoring(bigint)
  from public;
grant execute on function
  scope_is_sponsor()
  to liftwell_app;
grant execute on function
  scope_own_members(),
  scope_sponsored_members(),
  scope_sponsored_learners(),
  scope_known_members(),
  scope_is_member(bigint),
  scope_is_own_member(bigint),
  scope_sponsors_member(bigint),
  scope_has_turn(bigint),
  scope_has_version(bigint, integer),
  scope_sponsors_lift(bigint, integer),
  scope_has_file(uuid),
  prompt_visibility(bigint),
  prompt_scoring(bigint)
  to liftwell_app, liftwell_worker, liftwell_owner;
