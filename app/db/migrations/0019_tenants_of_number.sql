-- A text comes in for the platform's one number: which companies know the number it came from.
create function tenants_of_number(its_number text) returns setof uuid language sql stable
  security definer set search_path = public, pg_temp as $$
  select distinct u.tenant_id from users u join tenants t on t.id = u.tenant_id
  where u.mobile_phone = its_number and t.deleted_on is null
$$;
grant create on schema public to liftwell_lookup;
alter function tenants_of_number(text) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function tenants_of_number(text) from public;
grant execute on function tenants_of_number(text) to liftwell_app;
