-- The scope says in which capacity somebody sees a journey. Those who look after journeys see the ones of their place,
-- and no membership shows them another. As a participant (app.participant) the same person sees the journeys in which
-- they take part, wherever these belong, and of them only what a participant may read.

create function scope_is_participant() returns boolean language sql stable parallel safe
  as $$ select coalesce(current_setting('app.participant', true), '') = 'on' $$;

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

do $$
declare
  signature text;
begin
  grant create on schema public to liftwell_lookup;
  foreach signature in array array['scope_is_own_member(bigint)', 'scope_sponsors_member(bigint)',
    'scope_knows_member(bigint)', 'scope_has_turn(bigint)', 'scope_has_version(bigint, integer)', 'scope_has_file(uuid)']
  loop
    execute format('alter function %s owner to liftwell_lookup', signature);
    execute format('revoke all on function %s from public', signature);
    execute format('grant execute on function %s to liftwell_app, liftwell_worker, liftwell_owner', signature);
  end loop;
  revoke create on schema public from liftwell_lookup;
end $$;

-- A table to come is no participant's, unless its migration says otherwise.
create or replace function protect_through(target regclass, parent regclass, parent_key text) returns void language plpgsql as $$
declare
  rule text := format('tenant_id = scope_tenant() and not scope_is_participant() and (scope_sub_tenant() is null or exists (
    select from %s parent where parent.tenant_id = scope_tenant() and parent.id = %I))', parent, parent_key);
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy scope_select on %s for select using (%s)', target, rule);
  execute format('create policy scope_insert on %s for insert with check (%s)', target, rule);
  execute format('create policy scope_update on %s for update using (%s) with check (%s)', target, rule, rule);
  execute format('create policy scope_delete on %s for delete using (%s)', target, rule);
  execute format('grant select, insert, update, delete on %s to liftwell_app, liftwell_worker', target);
end $$;

alter policy scope_select on journeys using (tenant_id = scope_tenant() and case when scope_is_participant()
  then scope_is_member(id) else scope_sub_tenant() is null or sub_tenant_id = scope_sub_tenant() end);

do $$
declare
  policy record;
  opened record;
  rule text;
begin
  -- Right answers, what others were sent and what it came to: for those who look after the journey.
  for policy in select tablename, policyname, qual, with_check from pg_policies
    where schemaname = 'public' and policyname like 'scope\_%' and (tablename, cmd) not in (('journeys', 'SELECT'))
      and tablename in ('journeys', 'learning_objectives', 'lifts', 'prompts', 'lift_objectives', 'prompt_objectives',
        'lift_versions', 'members', 'occurrences', 'dispatches', 'responses', 'fact_occurrence', 'lift_tallies',
        'file_uses', 'files', 'journey_plans', 'journey_pauses', 'assessments', 'assessment_items', 'assessment_forms')
  loop
    execute format('alter policy %I on %I %s %s', policy.policyname, policy.tablename,
      'using ((' || policy.qual || ') and not scope_is_participant())',
      'with check ((' || policy.with_check || ') and not scope_is_participant())');
  end loop;
  -- What participants read, and what they write of their own.
  for opened in select * from (values
    ('lifts', 'journeys', 'journey_id', 'scope_has_turn(id)', '{select}'),
    ('lift_versions', 'lifts', 'lift_id', 'scope_has_version(lift_id, version)', '{select}'),
    ('file_uses', 'lifts', 'lift_id', 'scope_has_version(lift_id, version)', '{select}'),
    ('members', 'journeys', 'journey_id', 'scope_knows_member(id)', '{select}'),
    ('members', 'journeys', 'journey_id', 'scope_is_own_member(id) and scope_is_member(journey_id)
      and user_id = nullif(current_setting(''app.user_id'', true), '''')::bigint', '{update}'),
    ('occurrences', 'journeys', 'journey_id', 'scope_is_own_member(member_id)', '{select,update}'),
    ('responses', 'lifts', 'lift_id', 'scope_is_own_member(member_id)', '{select,insert,update}'),
    ('assessments', 'journeys', 'journey_id', 'scope_is_member(journey_id)', '{select}'),
    ('assessment_items', 'assessments', 'assessment_id',
      'exists (select from assessments a where a.tenant_id = scope_tenant() and a.id = assessment_id)', '{select}'),
    -- What peers say of somebody is read together, never one by one.
    ('assessment_forms', 'journeys', 'journey_id', 'scope_is_own_member(rater_id) or (rater <> ''peers''
      and (scope_is_own_member(subject_id) or scope_sponsors_member(subject_id)))', '{select}'),
    ('assessment_forms', 'journeys', 'journey_id', 'scope_is_own_member(rater_id)', '{update}')
  ) as t (name, parent, parent_key, own, commands)
  loop
    rule := format('tenant_id = scope_tenant() and case when scope_is_participant() then %s
      else scope_sub_tenant() is null or exists (select from %I parent
        where parent.tenant_id = scope_tenant() and parent.id = %I) end', opened.own, opened.parent, opened.parent_key);
    if 'select' = any(opened.commands::text[]) then
      execute format('alter policy scope_select on %I using (%s)', opened.name, rule);
    end if;
    if 'insert' = any(opened.commands::text[]) then
      execute format('alter policy scope_insert on %I with check (%s)', opened.name, rule);
    end if;
    if 'update' = any(opened.commands::text[]) then
      execute format('alter policy scope_update on %I using (%s) with check (%s)', opened.name, rule, rule);
    end if;
  end loop;
end $$;

alter policy scope_select on files using (tenant_id = scope_tenant() and case when scope_is_participant()
  then scope_has_file(id) else scope_sub_tenant() is null or sub_tenant_id is null or sub_tenant_id = scope_sub_tenant() end);
