-- Search that an index answers. LIKE is not leakproof: under row-level security PostgreSQL reads every row of every
-- tenant before it looks at the words. `find_ids` looks past the policies, by the same rules, and answers with ids only.

create extension if not exists btree_gin;

-- Text as it is indexed: lower case, and letters beyond ASCII as their bytes in octal digits, since pg_trgm knows no
-- other letters where the server's LC_CTYPE is C. It begins with a space, as every word does.
create function search_text(words text) returns text language sql immutable strict parallel safe
  as $$ select ' ' || replace(encode(decode(replace(lower(words), '\', '\\'), 'escape'), 'escape'), '\', 'x') $$;

-- One or two letters find the words that begin with them: an index knows no less than three in a row.
-- Null, which finds nothing, where there is neither a letter nor a digit.
create function search_pattern(words text) returns text language sql immutable strict parallel safe
  as $$ select case when plain ~ '[a-z0-9]{3}' then '%' || escaped || '%' when plain <> '' then '% ' || plain || '%' end
    from (select btrim(search_text(btrim(words)))) as t (typed),
      lateral (select regexp_replace(typed, '[%_]', '\\\&', 'g'), regexp_replace(typed, '^[^a-z0-9]+|[^a-z0-9]+$', '', 'g'))
        as u (escaped, plain) $$;

drop index users_search, journeys_name_trgm, tenants_name_trgm;
create index users_search on users using gin
  (tenant_id, search_text(first_name || ' ' || last_name || ' ' || email::text || ' ' || coalesce(department, '')) gin_trgm_ops);
create index journeys_search on journeys using gin (tenant_id, search_text(name) gin_trgm_ops);
create index lifts_search on lifts using gin (tenant_id, search_text(title) gin_trgm_ops);
create index prompts_search on prompts using gin (tenant_id, search_text(text) gin_trgm_ops);
create index tenants_search on tenants using gin (search_text(name::text) gin_trgm_ops);
create index sub_tenants_search on sub_tenants using gin (tenant_id, search_text(name::text) gin_trgm_ops);
create index audit_events_search on audit_events using gin
  (tenant_id, search_text(subject_name) gin_trgm_ops, search_text(actor_email) gin_trgm_ops);
create index user_general_roles_of_role on user_general_roles (tenant_id, role, user_id);

grant select on prompts, user_imports, audit_events to liftwell_lookup;
create policy lookup_reads on user_imports for select to liftwell_lookup using (true);
create policy lookup_reads on audit_events for select to liftwell_lookup using (true);

-- The newest rows of the scope that the words find: at most `most`, and whether these are all. Words that more than one
-- in a hundred of the newest rows have are looked for in the newest `most` rows, all others in the index: the work has an
-- end either way.
create function find_ids(noun text, words text, most integer, of_roles text[] default null, of_journey bigint default null,
  out ids text[], out is_all boolean) language plpgsql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  pattern constant text := search_pattern(words);
  -- Words that are common one by one are to the index as common together.
  each_word constant text[] := array(select case when length(word) < 3 then '% ' else '%' end || word || '%'
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
    select array_agg(s.user_id) into people from (
      select r.user_id from user_general_roles r where r.tenant_id = scope_tenant()
        and (not is_inside or r.sub_tenant_id = scope_sub_tenant())
        and (of_roles is null or r.role = any (of_roles))
      union all select nullif(current_setting('app.user_id', true), '')::bigint where of_roles is null
      limit most + 1) s;
    condition := condition || case when cardinality(people) > most then ' and (select true from user_general_roles r
      where r.tenant_id = scope_tenant() and r.user_id = t.id and ($4 is null or r.role = any ($4))
        and (scope_sub_tenant() is null or r.sub_tenant_id = scope_sub_tenant()) limit 1)'
      else ' and t.id = any ($3)' end;
  end if;

  among := format('select t.id, %s as text, row_number() over (order by %s desc) as nth from %s where %s',
    place.searched, place.age, place.source, condition);
  execute format('select count(*) from (%s order by %s desc limit 2000) s where search_text(text) like all ($1)',
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
end $$;
grant create on schema public to liftwell_lookup;
alter function find_ids(text, text, integer, text[], bigint) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function find_ids(text, text, integer, text[], bigint) from public;
grant execute on function find_ids(text, text, integer, text[], bigint) to liftwell_app, liftwell_worker;
