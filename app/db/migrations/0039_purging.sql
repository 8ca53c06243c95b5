-- What was deleted can be brought back for 30 days; then it goes for good.

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
grant create on schema public to liftwell_lookup;
alter function ended_tenants() owner to liftwell_lookup;
alter function ended_sub_tenants() owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;

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

revoke all on function ended_tenants(), ended_sub_tenants(), purge_tenant(), purge_sub_tenant(uuid) from public;
grant execute on function ended_tenants(), ended_sub_tenants(), purge_tenant(), purge_sub_tenant(uuid) to liftwell_worker;
