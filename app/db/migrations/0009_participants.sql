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

-- What participants' policies ask, always about the person who is asking.
create function scope_is_own_member(member bigint) returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select exists (select from members m where m.tenant_id = scope_tenant() and m.id = member
    and m.user_id = nullif(current_setting('app.user_id', true), '')::bigint and m.state <> 'withdrawn')
$$;

create function scope_sponsors_member(member bigint) returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select exists (select from members m where m.tenant_id = scope_tenant() and m.id = member
    and m.sponsor_id is not null and scope_is_own_member(m.sponsor_id))
$$;

-- Oneself, one's learners, one's sponsor, those about whom one fills in a form, and those who signed one about these.
create function scope_knows_member(member bigint) returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select scope_is_own_member(member) or scope_sponsors_member(member)
    or exists (select from members m where m.tenant_id = scope_tenant() and m.sponsor_id = member
      and m.user_id = nullif(current_setting('app.user_id', true), '')::bigint and m.state <> 'withdrawn')
    or exists (select from assessment_forms f where f.tenant_id = scope_tenant() and f.subject_id = member
      and scope_is_own_member(f.rater_id))
    or exists (select from assessment_forms f where f.tenant_id = scope_tenant() and f.rater_id = member
      and f.rater <> 'peers' and (scope_is_own_member(f.subject_id) or scope_sponsors_member(f.subject_id)))
$$;

-- Lifts that one gets, and their versions that have come to one.
create function scope_has_turn(lift bigint) returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select exists (select from members m
      join occurrences o on o.tenant_id = m.tenant_id and o.member_id = m.id and o.lift_id = lift
    where m.tenant_id = scope_tenant() and m.user_id = nullif(current_setting('app.user_id', true), '')::bigint
      and m.state <> 'withdrawn')
$$;

create function scope_has_version(lift bigint, of_version integer) returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select exists (select from members m
      join occurrences o on o.tenant_id = m.tenant_id and o.member_id = m.id and o.lift_id = lift
    where m.tenant_id = scope_tenant() and m.user_id = nullif(current_setting('app.user_id', true), '')::bigint
      and m.state <> 'withdrawn' and o.content_version = of_version
      and o.due_at <= now() and o.state not in ('held', 'cancelled'))
$$;

create function scope_has_file(file uuid) returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select exists (select from file_uses u where u.tenant_id = scope_tenant() and u.file_id = file
    and scope_has_version(u.lift_id, u.version))
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
  scope_has_turn(id) else (scope_sub_tenant() is null or exists (select from journeys parent where parent.tenant_id
  = scope_tenant() and parent.id = lifts.journey_id)) end);
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
  then scope_has_version(lift_id, version) else (scope_sub_tenant() is null or exists (select from lifts parent
  where parent.tenant_id = scope_tenant() and parent.id = lift_versions.lift_id)) end);
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
  scope_knows_member(id) else (scope_sub_tenant() is null or exists (select from journeys parent where
  parent.tenant_id = scope_tenant() and parent.id = members.journey_id)) end);
alter policy scope_update on members using (tenant_id = scope_tenant() and case when scope_is_participant() then
  (scope_is_own_member(id) and scope_is_member(journey_id) and (user_id = (NULLIF(current_setting('app.user_id',
  true), ''))::bigint)) else (scope_sub_tenant() is null or exists (select from journeys parent where
  parent.tenant_id = scope_tenant() and parent.id = members.journey_id)) end) with check (tenant_id = scope_tenant()
  and case when scope_is_participant() then (scope_is_own_member(id) and scope_is_member(journey_id) and (user_id =
  (NULLIF(current_setting('app.user_id', true), ''))::bigint)) else (scope_sub_tenant() is null or exists (select
  from journeys parent where parent.tenant_id = scope_tenant() and parent.id = members.journey_id)) end);

alter policy scope_select on responses using (tenant_id = scope_tenant() and case when scope_is_participant() then
  scope_is_own_member(member_id) else (scope_sub_tenant() is null or exists (select from lifts parent where
  parent.tenant_id = scope_tenant() and parent.id = responses.lift_id)) end);
alter policy scope_insert on responses with check (tenant_id = scope_tenant() and case when scope_is_participant()
  then scope_is_own_member(member_id) else (scope_sub_tenant() is null or exists (select from lifts parent where
  parent.tenant_id = scope_tenant() and parent.id = responses.lift_id)) end);
alter policy scope_update on responses using (tenant_id = scope_tenant() and case when scope_is_participant() then
  scope_is_own_member(member_id) else (scope_sub_tenant() is null or exists (select from lifts parent where
  parent.tenant_id = scope_tenant() and parent.id = responses.lift_id)) end) with check (tenant_id = scope_tenant()
  and case when scope_is_participant() then scope_is_own_member(member_id) else (scope_sub_tenant() is null or
  exists (select from lifts parent where parent.tenant_id = scope_tenant() and parent.id = responses.lift_id)) end);

alter policy scope_select on occurrences using (tenant_id = scope_tenant() and case when scope_is_participant() then
  scope_is_own_member(member_id) else (scope_sub_tenant() is null or exists (select from journeys parent where
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
alter function scope_is_own_member(bigint) owner to liftwell_lookup;
alter function scope_sponsors_member(bigint) owner to liftwell_lookup;
alter function scope_knows_member(bigint) owner to liftwell_lookup;
alter function scope_has_turn(bigint) owner to liftwell_lookup;
alter function scope_has_version(bigint, integer) owner to liftwell_lookup;
alter function scope_has_file(uuid) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function
  scope_is_own_member(bigint),
  scope_sponsors_member(bigint),
  scope_knows_member(bigint),
  scope_has_turn(bigint),
  scope_has_version(bigint, integer),
  scope_has_file(uuid)
  from public;
grant execute on function
  scope_is_own_member(bigint),
  scope_sponsors_member(bigint),
  scope_knows_member(bigint),
  scope_has_turn(bigint),
  scope_has_version(bigint, integer),
  scope_has_file(uuid)
  to liftwell_app, liftwell_worker, liftwell_owner;
