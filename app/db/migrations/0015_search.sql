-- Search and counts that an index answers. LIKE is not leakproof: under row-level security PostgreSQL reads every row of
-- every tenant before it looks at the words, and holds each row against the policy where it counts. These functions look
-- past the policies, by the same rules, and answer with ids and numbers only.

-- Who has one of the roles, or any in the sub-tenant of the scope: the newest `most`, in the order of the list of people.
-- Null where one in five of the newest people has: then each is asked as they are met, which soon fills a page. Whom a list
-- has is counted when they are found: so nobody is among them who is not seen.
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
    select held.user_id from (
      select of_role.* from unnest(of_roles) wanted (role) cross join lateral (
        select distinct r.user_created_on, r.user_id from user_general_roles r
        where r.tenant_id = scope_tenant() and r.role = wanted.role and (inside is null or r.sub_tenant_id = inside)
        order by r.user_created_on desc, r.user_id desc limit most + 1) of_role
      union (select distinct r.user_created_on, r.user_id from user_general_roles r
        where of_roles is null and r.tenant_id = scope_tenant() and r.sub_tenant_id = inside
        order by r.user_created_on desc, r.user_id desc limit most + 1)
      -- People see themselves wherever they are, but in a tenant that they are not of.
      union (select u.created_on, u.id from users u where of_roles is null and u.tenant_id = scope_tenant()
        and u.id = nullif(current_setting('app.user_id', true), '')::bigint)) held
    order by held.user_created_on desc, held.user_id desc limit most + 1);
  is_all := cardinality(ids) <= most;
  ids := ids[1:most];
end $$;

-- The newest rows of the scope that the words find: at most `most`, and whether these are all. Words that more than one
-- in a hundred of the newest rows have are looked for in the newest `most` rows, all others in the index: the work has an
-- end either way. People are found in the order of their list, newest first: a page of it is a part of what was found.
-- Of those of a role, words that few have are looked for among all, and not only among the newest.
create function find_ids(noun text, words text, most integer, of_roles text[] default null, of_journey bigint default null,
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
  -- The newest of many are met in order, however few PostgreSQL expects: it would sort them all.
  one_by_one constant text := 'members t cross join lateral (select u.searchable from users u
    where u.tenant_id = t.tenant_id and u.id = t.user_id offset 0) u';
  asked constant text := ' and (select true from user_general_roles r
    where r.tenant_id = scope_tenant() and r.user_id = t.id and ($4 is null or r.role = any ($4))
      and (scope_sub_tenant() is null or r.sub_tenant_id = scope_sub_tenant()) limit 1)';
  place record;
  holding text := '';
  condition text;
  people bigint[];
  fields text;
  among text;
  common bigint;
  is_whole boolean := true;
begin
  ids := '{}';
  is_all := true;
  if pattern is null or scope_is_participant() then return; end if;

  -- Of each noun: where it is, what is searched, what is newest, and which rows are a tenant's and a sub-tenant's.
  select * into strict place from (values
    ('users', 'users t', 't.searchable', 't.created_on desc, t.id', own, 'true'),
    ('participants', 'members t join users u on u.tenant_id = t.tenant_id and u.id = t.user_id', 'u.searchable',
      't.user_id', own || ' and t.journey_id = $5', format(in_journey, 't.journey_id') || ' and (select true
        from user_general_roles r where r.tenant_id = scope_tenant() and r.user_id = t.user_id
        and r.sub_tenant_id = scope_sub_tenant() limit 1)'),
    ('journeys', 'journeys t', 'search_text(t.name)', 't.id', own, inside),
    ('lifts', 'lifts t', 'search_text(t.title)', 't.id', own, format(in_journey, 't.journey_id')),
    ('prompts', 'prompts t', 'search_text(t.text)', 't.id', own, format(in_journey,
      '(select l.journey_id from lifts l where l.tenant_id = scope_tenant() and l.id = t.lift_id)')),
    ('assessments', 'assessments t', 'search_text(t.name)', 't.id', own, format(in_journey, 't.journey_id')),
    ('files', 'files t', 'search_text(t.file_name)', 't.created_on', own, '(t.sub_tenant_id is null or ' || inside || ')'),
    ('user_imports', 'user_imports t', 'search_text(t.file_name)', 't.created_on', own, inside),
    ('audited subjects', 'audit_events t', 'search_text(t.subject_name)', 't.at', own, inside),
    ('audited actors', 'audit_events t', 'search_text(t.actor_email)', 't.at', own, inside),
    ('sub_tenants', 'sub_tenants t', 'search_text(t.name::text)', 't.created_on',
      case when scope_is_operator() then 'true' else own end,
      case when scope_is_operator() then 'true' else 't.id = scope_sub_tenant()' end),
    ('tenants', 'tenants t', 'search_text(t.name::text)', 't.created_on',
      case when scope_is_operator() then 'true' else 't.id = scope_tenant()' end, 'true')
  ) as places (noun, source, searched, age, of_tenant, of_sub_tenant) where places.noun = find_ids.noun;

  condition := place.of_tenant;
  if is_inside then condition := condition || ' and ' || place.of_sub_tenant; end if;
  if find_ids.noun = 'users' and (is_inside or of_roles is not null) then
    -- A few people are looked at one by one; of many, each is asked for their role as they are met.
    select p.ids, p.is_all into people, is_whole from people_with_roles(of_roles, most) p;
    holding := asked;
  end if;

  fields := format('select t.id, %s as text from ', place.searched);
  among := fields || case when find_ids.noun = 'participants' then one_by_one else place.source end
    || ' where ' || condition || holding;
  if people is not null then
    select count(*) into common from unnest(people[1:2000]) held (id) cross join lateral (select u.searchable from users u
      where u.tenant_id = scope_tenant() and u.id = held.id offset 0) t where t.searchable ~ all (each_word);
  else
    execute format('select count(*) from (%s order by %s desc limit 2000) s where text ~ all ($1)',
      among, place.age) into common using each_word, most, people, of_roles, of_journey;
  end if;
  if people is not null and (common >= 20 or is_whole) then
    select array_agg(t.id::text order by t.created_on desc, t.id desc) into ids from unnest(people) held (id)
      cross join lateral (select u.id, u.created_on, u.searchable from users u
        where u.tenant_id = scope_tenant() and u.id = held.id offset 0) t where t.searchable like pattern;
    is_all := is_whole;
    is_whole := true;
  elsif common >= 20 then
    execute format('select array_agg(id::text) filter (where text like $1), count(*) <= $2
      from (%s order by %s desc limit $2 + 1) s', among, place.age) into ids, is_all using pattern, most, people, of_roles, of_journey;
  else
    is_whole := true;
    among := fields || place.source || ' where ' || condition || holding;
    execute format('select array_agg(id::text), count(*) <= $2
      from (%s and %s like $1 order by %s desc limit $2 + 1) s', among, place.searched, place.age)
      into ids, is_all using pattern, most, people, of_roles, of_journey;
  end if;
  ids := coalesce(ids[1:most], '{}');
  is_all := is_all and is_whole;
end $$;

-- How many people there are, have a role or are of a department, `most` at most: by an index alone. Null where not all of
-- the tenant's are seen, and where people are narrowed by both.
create function count_people(most integer, of_roles text[] default null, of_departments text[] default null) returns integer
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  own constant uuid := scope_tenant();
begin
  if own is null or scope_sub_tenant() is not null or scope_is_participant() then return null; end if;
  if of_roles is null and of_departments is null then
    return (select count(*) from (select from users u where u.tenant_id = own order by u.id limit most) counted);
  elsif of_roles is null then
    return (select count(*) from (select from users u where u.tenant_id = own and u.department = any (of_departments)
      limit most) counted);
  elsif of_departments is null then
    -- Each role to the end of counting: of several together all people would be sorted.
    return (select count(*) from (select distinct of_role.user_id from unnest(of_roles) wanted (role) cross join lateral (
      select distinct r.user_created_on, r.user_id from user_general_roles r where r.tenant_id = own and r.role = wanted.role
      order by r.user_created_on desc, r.user_id desc limit most) of_role limit most) counted);
  end if;
  return null;
end $$;

-- Functions that look past the policies belong to a role that can do nothing else; it may create only here.
grant create on schema public to liftwell_lookup;
alter function people_with_roles(text[], integer) owner to liftwell_lookup;
alter function find_ids(text, text, integer, text[], bigint) owner to liftwell_lookup;
alter function count_people(integer, text[], text[]) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function
  people_with_roles(text[], integer),
  find_ids(text, text, integer, text[], bigint),
  count_people(integer, text[], text[])
  from public;
grant execute on function
  people_with_roles(text[], integer),
  find_ids(text, text, integer, text[], bigint),
  count_people(integer, text[], text[])
  to liftwell_app, liftwell_worker;
