-- People of a role are met in the order of their list, newest first, along an index of the roles: 10,000 of them were
-- looked up among a million people to be put in that order. Since when a person is there never changes.
alter table user_general_roles add user_created_on timestamptz not null default now();
alter table user_general_roles no force row level security;
alter table users no force row level security;
update user_general_roles r set user_created_on = u.created_on from users u where u.tenant_id = r.tenant_id and u.id = r.user_id;
alter table users force row level security;
alter table user_general_roles force row level security;

-- Inside a sub-tenant a person is seen from their first role on. Who is made by the same statement is there since now.
create function date_role_by_person() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  new.user_created_on := coalesce(
    (select u.created_on from users u where u.tenant_id = new.tenant_id and u.id = new.user_id), new.user_created_on);
  return new;
end $$;
grant create on schema public to liftwell_lookup;
alter function date_role_by_person() owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function date_role_by_person() from public;
create trigger date_by_person before insert on user_general_roles for each row execute function date_role_by_person();

drop index user_general_roles_of_role;
create index user_general_roles_of_role on user_general_roles (tenant_id, role, user_created_on desc, user_id desc);
create index user_general_roles_in_sub_tenant on user_general_roles (tenant_id, sub_tenant_id, user_created_on desc, user_id desc)
  where sub_tenant_id is not null;
analyze user_general_roles;

drop function people_with_roles(text[], integer, boolean);
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
grant create on schema public to liftwell_lookup;
alter function people_with_roles(text[], integer) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function people_with_roles(text[], integer) from public;
grant execute on function people_with_roles(text[], integer) to liftwell_app, liftwell_worker;

-- As before, but for what is asked for people of roles.
do $$
begin
  execute replace(pg_get_functiondef('find_ids(text,text,integer,text[],bigint)'::regprocedure),
    'people_with_roles(of_roles, most, false)', 'people_with_roles(of_roles, most)');
  execute replace(pg_get_functiondef('count_people(integer,text[],text[])'::regprocedure),
    'select distinct r.user_id from user_general_roles r where r.tenant_id = own and r.role = wanted.role
      order by r.user_id limit most',
    'select distinct r.user_created_on, r.user_id from user_general_roles r where r.tenant_id = own and r.role = wanted.role
      order by r.user_created_on desc, r.user_id desc limit most');
end $$;
