-- Whether their company, or a sub-tenant they are an admin of, asks a person for a second factor: told with the person,
-- since each request of an admin asks.
alter type principal_row add attribute is_asked_for_second_factor boolean;

create or replace function principal_of(person bigint) returns setof principal_row language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select u.id, u.tenant_id, u.email::text, u.first_name, u.last_name, u.activation_status, u.is_super_admin,
    u.accepted_terms_on, case when t.deleted_on is null then t.status else 'inactive' end, t.pool_id, own.roles, own.is_asked
  from users u join tenants t on t.id = u.tenant_id, lateral (
    select coalesce(jsonb_agg(jsonb_build_object('role', r.role, 'tenant_id', r.tenant_id, 'sub_tenant_id', r.sub_tenant_id)
        order by r.id), '[]') as roles,
      coalesce(bool_or(r.role = 'admin' and (t.settings @> '{"admins_need_second_factor": true}'
        or s.settings @> '{"admins_need_second_factor": true}')), false) as is_asked
    from user_general_roles r left join sub_tenants s
      on s.tenant_id = r.tenant_id and s.id = r.sub_tenant_id and s.deleted_on is null
    where r.tenant_id = u.tenant_id and r.user_id = u.id) own
  where u.id = person
$$;

create function scope_is_asked_for_second_factor() returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select coalesce(bool_or(p.is_asked_for_second_factor), false)
  from principal_of(nullif(current_setting('app.user_id', true), '')::bigint) p where p.tenant_id = scope_tenant()
$$;
grant create on schema public to liftwell_lookup;
alter function scope_is_asked_for_second_factor() owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function scope_is_asked_for_second_factor() from public;
grant execute on function scope_is_asked_for_second_factor() to liftwell_app;
