-- The list of people by the status of their account and by sub-tenant, found and counted by indexes alone.

-- Of one status they stand in the order of the list. Nobody looks for erased people among the deactivated.
drop index users_by_status;
create index users_by_status on users (tenant_id, activation_status, created_on, id) include (erased_on);

-- Of one role in one sub-tenant as well, so that each is read in order, and to the end of counting only.
drop index user_general_roles_in_sub_tenant;
create index user_general_roles_in_sub_tenant
  on user_general_roles (tenant_id, sub_tenant_id, role, user_created_on desc, user_id desc) where sub_tenant_id is not null;

-- As in 0015_search.sql, of some sub-tenants too. From inside one, no other is seen.
drop function people_with_roles(text[], integer);
create function people_with_roles(of_roles text[], most integer, of_sub_tenants uuid[] default null,
  out ids bigint[], out is_all boolean)
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  inside constant uuid := scope_sub_tenant();
  places constant uuid[] := case when inside is null then of_sub_tenants
    when of_sub_tenants is null or inside = any (of_sub_tenants) then array[inside] else '{}' end;
begin
  is_all := true;
  if scope_is_participant() or (select count(*) >= 400 from (
      select t.id from users t where t.tenant_id = scope_tenant() order by t.id desc limit 2000) newest
    where exists (select from user_general_roles r where r.tenant_id = scope_tenant() and r.user_id = newest.id
      and (of_roles is null or r.role = any (of_roles)) and (places is null or r.sub_tenant_id = any (places)))) then
    return;
  end if;
  if places is null then
    ids := array(select held.user_id from (select distinct of_role.* from unnest(of_roles) wanted (role) cross join lateral (
        select distinct r.user_created_on, r.user_id from user_general_roles r
        where r.tenant_id = scope_tenant() and r.role = wanted.role
        order by r.user_created_on desc, r.user_id desc limit most + 1) of_role) held
      order by held.user_created_on desc, held.user_id desc limit most + 1);
  else
    ids := array(select held.user_id from (
      select there.* from unnest(places) place (id), unnest(coalesce(of_roles, '{admin,author,user}')) wanted (role)
        cross join lateral (select r.user_created_on, r.user_id from user_general_roles r
          where r.tenant_id = scope_tenant() and r.sub_tenant_id = place.id and r.role = wanted.role
          order by r.user_created_on desc, r.user_id desc limit most + 1) there
      -- People see themselves wherever they are, but in a tenant that they are not of.
      union (select u.created_on, u.id from users u where of_roles is null and of_sub_tenants is null
        and u.tenant_id = scope_tenant() and u.id = nullif(current_setting('app.user_id', true), '')::bigint)) held
      order by held.user_created_on desc, held.user_id desc limit most + 1);
  end if;
  is_all := cardinality(ids) <= most;
  ids := ids[1:most];
end $$;

drop function count_people(integer, text[], text[]);
create function count_people(most integer, of_roles text[] default null, of_departments text[] default null,
  of_statuses text[] default null, of_sub_tenants uuid[] default null) returns integer
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  own constant uuid := scope_tenant();
  by_role constant boolean := of_roles is not null or of_sub_tenants is not null;
begin
  if own is null or scope_sub_tenant() is not null or scope_is_participant()
    or by_role::int + (of_departments is not null)::int + (of_statuses is not null)::int > 1 then return null; end if;
  if of_departments is not null then
    return (select count(*) from (select from users u where u.tenant_id = own and u.department = any (of_departments)
      limit most) counted);
  elsif of_statuses is not null then
    return (select count(*) from (select from users u where u.tenant_id = own and u.activation_status = any (of_statuses)
      and u.erased_on is null limit most) counted);
  elsif of_sub_tenants is not null then
    return (select count(*) from (select distinct there.user_id from unnest(of_sub_tenants) place (id),
      unnest(coalesce(of_roles, '{admin,author,user}')) wanted (role) cross join lateral (select r.user_id
        from user_general_roles r where r.tenant_id = own and r.sub_tenant_id = place.id and r.role = wanted.role
        order by r.user_created_on desc, r.user_id desc limit most) there limit most) counted);
  elsif of_roles is not null then
    -- Each role to the end of counting: of several together all people would be sorted.
    return (select count(*) from (select distinct of_role.user_id from unnest(of_roles) wanted (role) cross join lateral (
      select distinct r.user_created_on, r.user_id from user_general_roles r where r.tenant_id = own and r.role = wanted.role
      order by r.user_created_on desc, r.user_id desc limit most) of_role limit most) counted);
  end if;
  return (select count(*) from (select from users u where u.tenant_id = own order by u.id limit most) counted);
end $$;

grant create on schema public to liftwell_lookup;
alter function people_with_roles(text[], integer, uuid[]) owner to liftwell_lookup;
alter function count_people(integer, text[], text[], text[], uuid[]) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function people_with_roles(text[], integer, uuid[]),
  count_people(integer, text[], text[], text[], uuid[]) from public;
grant execute on function people_with_roles(text[], integer, uuid[]),
  count_people(integer, text[], text[], text[], uuid[]) to liftwell_app, liftwell_worker;
