-- How a person is forgotten, and how what was deleted goes for good.

-- Takes words by which a person is known (an address, a number, a full name) out of every text of the
-- scope's tenant, tables to come included, and out of what is otherwise never changed. Master data is
-- left to the caller: no other person's address may lose a part of itself.
create function forget_words(words text[]) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  place record;
  word text;
  pattern text;
  changed text;
begin
  if scope_tenant() is null or scope_sub_tenant() is not null then
    raise exception 'A person is forgotten inside a whole tenant''s scope' using errcode = 'insufficient_privilege';
  end if;
  foreach word in array words loop
    if length(word) < 5 then continue; end if;
    for place in
      select c.relname as table_name, a.attname as column_name, format_type(a.atttypid, null) as type
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
        and format_type(a.atttypid, null) in ('text', 'citext', 'jsonb', 'text[]')
        and c.relname not in ('tenants', 'sub_tenants', 'users', 'user_identities', 'sessions')
        and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')
    loop
      -- In JSON a word stands as JSON writes it.
      pattern := case place.type when 'jsonb' then btrim(to_jsonb(word)::text, '"') else word end;
      pattern := '(?<![[:alnum:]._%+-])' || regexp_replace(pattern, '([][\\.^$*+?(){}|-])', '\\\1', 'g')
        || '(?![[:alnum:]_%+-]|\.[[:alnum:]])';
      changed := format('regexp_replace(%I::text, $1, %L, %L)', place.column_name, '[erased]', 'gi');
      execute format('update %I set %I = %s::%s where tenant_id = scope_tenant() and %I::text ~* $1',
        place.table_name, place.column_name, changed, place.type, place.column_name) using pattern;
    end loop;
  end loop;
end $$;

-- What only the person's own rows of append-only tables say about them.
create function forget_record(person bigint) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if scope_tenant() is null or scope_sub_tenant() is not null then
    raise exception 'A person is forgotten inside a whole tenant''s scope' using errcode = 'insufficient_privilege';
  end if;
  update audit_events set actor_email = null where tenant_id = scope_tenant() and actor_id = person;
  update audit_events set changes = '{}', subject_name = null
    where tenant_id = scope_tenant() and subject_type = 'user' and subject_id = person::text;
  delete from consent_events where tenant_id = scope_tenant() and user_id = person;
end $$;

-- Tenants and sub-tenants whose time is over, and the company that keeps the record of it.
create function ended_tenants() returns table (tenant_id uuid, operator_id uuid) language sql stable
  security definer set search_path = public, pg_temp as $$
  select t.id, o.id from tenants t, tenants o
  where o.is_operator and t.deleted_on < now() - interval '30 days' and not t.is_operator and not t.is_testing
  order by t.deleted_on
$$;

create function ended_sub_tenants() returns table (tenant_id uuid, id uuid) language sql stable
  security definer set search_path = public, pg_temp as $$
  select s.tenant_id, s.id from sub_tenants s where s.deleted_on < now() - interval '30 days'
  order by s.deleted_on
$$;

-- Empties every table of the scope's tenant, tables to come included, and removes it. Nobody else may: not every
-- table lets the worker delete, and this one sees for itself that the time is over.
create function purge_tenant() returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  gone uuid := scope_tenant();
  its_pool text;
  waiting name[];
  place name;
begin
  select pool_id into its_pool from tenants
    where id = gone and deleted_on < now() - interval '30 days' and not is_operator and not is_testing;
  if its_pool is null or scope_sub_tenant() is not null or not scope_is_operator() then
    raise exception 'Only a tenant that was deleted 30 days ago is purged' using errcode = 'insufficient_privilege';
  end if;
  waiting := array(select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p'));
  while cardinality(waiting) > 0 loop
    -- Those first to which nothing else refers any more.
    select w into place from unnest(waiting) w where not exists (
      select from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class target on target.oid = k.confrelid
      where k.contype = 'f' and target.relname = w and c.relname <> w and c.relname = any(waiting)) limit 1;
    if place is null then
      raise exception 'The tables % refer to each other', waiting;
    end if;
    execute format('delete from %I where tenant_id = $1', place) using gone;
    waiting := array_remove(waiting, place);
  end loop;
  delete from tenants where id = gone;
  if not exists (select from tenants where pool_id = its_pool) then
    delete from sign_in_attempts where pool_id = its_pool;
    delete from pools where id = its_pool and not is_default;
  end if;
end $$;

-- The same for a part of the scope's tenant. Its people and its record stay with the company.
create function purge_sub_tenant(part uuid) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if scope_sub_tenant() is not null or not exists (select from sub_tenants
    where tenant_id = scope_tenant() and id = part and deleted_on < now() - interval '30 days') then
    raise exception 'Only a sub-tenant that was deleted 30 days ago is purged' using errcode = 'insufficient_privilege';
  end if;
  delete from outbox_messages where tenant_id = scope_tenant() and key in (
    select d.tenant_id || ':' || d.id from dispatches d join occurrences o on o.tenant_id = d.tenant_id and o.id = d.occurrence_id
      join journeys j on j.tenant_id = o.tenant_id and j.id = o.journey_id
    where d.tenant_id = scope_tenant() and j.sub_tenant_id = part);
  delete from journeys where tenant_id = scope_tenant() and sub_tenant_id = part;
  delete from files where tenant_id = scope_tenant() and sub_tenant_id = part;
  delete from user_imports where tenant_id = scope_tenant() and sub_tenant_id = part;
  delete from user_general_roles where tenant_id = scope_tenant() and sub_tenant_id = part;
  delete from sub_tenants where tenant_id = scope_tenant() and id = part;
end $$;

-- Takes all that was lived through out of the testing tenant, and everybody but some, where somebody asked for it. Its
-- record stays, and so do the files, which go by themselves where nothing uses them.
create function empty_testing_tenant(kept_people bigint[]) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  its uuid := scope_tenant();
  waiting name[];
  place name;
begin
  if scope_sub_tenant() is not null or not exists (select from tenants
      where id = its and is_testing and clock_move ->> 'starts_again' = 'true') then
    raise exception 'Only the testing tenant begins again' using errcode = 'insufficient_privilege';
  end if;
  waiting := array(select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> all (array['sub_tenants',
      'users', 'user_identities', 'user_general_roles', 'sessions', 'ended_sessions', 'ended_tokens', 'api_keys',
      'idempotency_keys', 'email_domains', 'refused_sign_ins', 'audit_events', 'files']::name[]));
  while cardinality(waiting) > 0 loop
    -- Those first to which nothing else refers any more.
    select w into place from unnest(waiting) w where not exists (
      select from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class target on target.oid = k.confrelid
      where k.contype = 'f' and target.relname = w and c.relname <> w and c.relname = any(waiting)) limit 1;
    if place is null then
      raise exception 'The tables % refer to each other', waiting;
    end if;
    execute format('delete from %I where tenant_id = $1', place) using its;
    waiting := array_remove(waiting, place);
  end loop;
  delete from users where tenant_id = its and id <> all (kept_people);
end $$;

-- Functions that look past the policies belong to a role that can do nothing else; it may create only here.
grant create on schema public to liftwell_lookup;
alter function ended_tenants() owner to liftwell_lookup;
alter function ended_sub_tenants() owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function
  ended_tenants(),
  ended_sub_tenants(),
  forget_words(text[]),
  forget_record(bigint),
  purge_tenant(),
  purge_sub_tenant(uuid),
  empty_testing_tenant(bigint[])
  from public;
grant execute on function
  ended_tenants(),
  ended_sub_tenants(),
  purge_tenant(),
  purge_sub_tenant(uuid)
  to liftwell_worker;
grant execute on function
  forget_words(text[]),
  forget_record(bigint),
  empty_testing_tenant(bigint[])
  to liftwell_app;
