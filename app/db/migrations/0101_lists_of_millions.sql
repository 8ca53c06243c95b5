-- Lists whose first page would sort or look through all that there is.

-- Who takes part, newest first; the few who left, and the few who are not learners, without a walk past all others.
create index members_by_date on members (tenant_id, journey_id, joined_at desc, id desc) where state <> 'withdrawn';
create index members_withdrawn on members (tenant_id, journey_id, joined_at desc, id desc) where state = 'withdrawn';
create index members_with_role on members (tenant_id, journey_id, role, joined_at desc, id desc)
  where role <> 'learner';

-- What happened of one kind, of which the newest may be long ago.
create index audit_events_by_action on audit_events (tenant_id, action, at desc, id desc);
-- What one person did, what was done on behalf of a tenant, and what happened in a sub-tenant: likewise.
drop index audit_events_by_actor;
create index audit_events_by_actor on audit_events (tenant_id, actor_id, at desc, id desc);
create index audit_events_on_behalf on audit_events (tenant_id, on_behalf_of, at desc, id desc)
  where on_behalf_of is not null;
create index audit_events_in_sub_tenant on audit_events (tenant_id, sub_tenant_id, at desc, id desc)
  where sub_tenant_id is not null;

-- Who has one of the roles, or any in the sub-tenant of the scope: the newest `most`. Null where one in five of the newest
-- people has: then each is asked as they are met, which soon fills a page.
create function people_with_roles(of_roles text[], most integer, out ids bigint[], out is_all boolean)
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  inside constant uuid := scope_sub_tenant();
begin
  is_all := true;
  if scope_is_participant() or (select count(*) >= 400 from (
      select t.id from users t where t.tenant_id = scope_tenant() order by t.id desc limit 2000) newest
    where exists (select from user_general_roles r where r.tenant_id = scope_tenant() and r.user_id = newest.id
      and (of_roles is null or r.role = any (of_roles)) and (inside is null or r.sub_tenant_id = inside))) then
    return;
  end if;
  ids := array(
    select distinct held.user_id from (
      select of_role.user_id from unnest(of_roles) wanted (role) cross join lateral (
        select r.user_id from user_general_roles r where r.tenant_id = scope_tenant() and r.role = wanted.role
          and (inside is null or r.sub_tenant_id = inside) order by r.user_id desc limit most + 1) of_role
      union all (select r.user_id from user_general_roles r where of_roles is null and r.tenant_id = scope_tenant()
        and r.sub_tenant_id = inside order by r.user_id desc limit most + 1)
      -- People see themselves wherever they are.
      union all select nullif(current_setting('app.user_id', true), '')::bigint where of_roles is null) held
    where held.user_id is not null order by held.user_id desc limit most + 1);
  is_all := cardinality(ids) <= most;
  ids := ids[1:most];
end $$;

-- As before, but one or two letters that words behind dots begin with everywhere (as all addresses of a company do) are
-- common, and of roles that more people have than are looked at, the newest are.
create or replace function find_ids(noun text, words text, most integer, of_roles text[] default null, of_journey bigint default null,
  out ids text[], out is_all boolean) language plpgsql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  pattern constant text := search_pattern(words);
  -- Words that are common one by one are to the index as common together, which knows a word behind a dot as well.
  each_word constant text[] := array(select case when length(word) < 3 then '[^a-z0-9]' else '' end || word
    from regexp_split_to_table(pattern, '[^a-z0-9]+') word where word <> '');
  is_inside constant boolean := scope_sub_tenant() is not null;
  own constant text := 't.tenant_id = scope_tenant()';
  inside constant text := 't.sub_tenant_id = scope_sub_tenant()';
  in_journey constant text := 'exists (select from journeys j where j.tenant_id = scope_tenant() and j.id = %s
    and j.sub_tenant_id = scope_sub_tenant())';
  person constant text := $q$%1$s.first_name || ' ' || %1$s.last_name || ' ' || %1$s.email::text
    || ' ' || coalesce(%1$s.department, '')$q$;
  place record;
  condition text;
  people bigint[];
  among text;
  common bigint;
  is_whole boolean := true;
begin
  ids := '{}';
  is_all := true;
  if pattern is null or scope_is_participant() then return; end if;

  -- Of each noun: where it is, what is searched, what is newest, and which rows are a tenant's and a sub-tenant's.
  select * into strict place from (values
    ('users', 'users t', format(person, 't'), 't.id', own, 'true'),
    ('participants', 'members t join users u on u.tenant_id = t.tenant_id and u.id = t.user_id', format(person, 'u'),
      't.user_id', own || ' and t.journey_id = $5', format(in_journey, 't.journey_id') || ' and (select true
        from user_general_roles r where r.tenant_id = scope_tenant() and r.user_id = t.user_id
        and r.sub_tenant_id = scope_sub_tenant() limit 1)'),
    ('journeys', 'journeys t', 't.name', 't.id', own, inside),
    ('lifts', 'lifts t', 't.title', 't.id', own, format(in_journey, 't.journey_id')),
    ('prompts', 'prompts t', 't.text', 't.id', own, format(in_journey,
      '(select l.journey_id from lifts l where l.tenant_id = scope_tenant() and l.id = t.lift_id)')),
    ('assessments', 'assessments t', 't.name', 't.id', own, format(in_journey, 't.journey_id')),
    ('files', 'files t', 't.file_name', 't.created_on', own, '(t.sub_tenant_id is null or ' || inside || ')'),
    ('user_imports', 'user_imports t', 't.file_name', 't.created_on', own, inside),
    ('audited subjects', 'audit_events t', 't.subject_name', 't.at', own, inside),
    ('audited actors', 'audit_events t', 't.actor_email', 't.at', own, inside),
    ('sub_tenants', 'sub_tenants t', 't.name::text', 't.created_on',
      case when scope_is_operator() then 'true' else own end,
      case when scope_is_operator() then 'true' else 't.id = scope_sub_tenant()' end),
    ('tenants', 'tenants t', 't.name::text', 't.created_on',
      case when scope_is_operator() then 'true' else 't.id = scope_tenant()' end, 'true')
  ) as places (noun, source, searched, age, of_tenant, of_sub_tenant) where places.noun = find_ids.noun;

  condition := place.of_tenant;
  if is_inside then condition := condition || ' and ' || place.of_sub_tenant; end if;
  if find_ids.noun = 'users' and (is_inside or of_roles is not null) then
    -- A few people are looked at one by one; of many, each is asked for their role as they are met.
    select p.ids, p.is_all into people, is_whole from people_with_roles(of_roles, most) p;
    condition := condition || case when people is null then ' and (select true from user_general_roles r
      where r.tenant_id = scope_tenant() and r.user_id = t.id and ($4 is null or r.role = any ($4))
        and (scope_sub_tenant() is null or r.sub_tenant_id = scope_sub_tenant()) limit 1)'
      else ' and t.id = any ($3)' end;
  end if;

  among := format('select t.id, %s as text, row_number() over (order by %s desc) as nth from %s where %s',
    place.searched, place.age, place.source, condition);
  execute format('select count(*) from (%s order by %s desc limit 2000) s where search_text(text) ~ all ($1)',
    among, place.age) into common using each_word, most, people, of_roles, of_journey;
  if common >= 20 then
    execute format('select array_agg(id::text) filter (where nth <= $2 and search_text(text) like $1), count(*) <= $2
      from (%s order by %s desc limit $2 + 1) s', among, place.age) into ids, is_all using pattern, most, people, of_roles, of_journey;
  else
    execute format('select array_agg(id::text) filter (where nth <= $2), count(*) <= $2
      from (%s and search_text(%s) like $1 order by %s desc limit $2 + 1) s', among, place.searched, place.age)
      into ids, is_all using pattern, most, people, of_roles, of_journey;
  end if;
  ids := coalesce(ids, '{}');
  is_all := is_all and is_whole;
end $$;
grant create on schema public to liftwell_lookup;
alter function people_with_roles(text[], integer) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function people_with_roles(text[], integer) from public;
grant execute on function people_with_roles(text[], integer) to liftwell_app, liftwell_worker;
