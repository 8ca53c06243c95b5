-- How large each company is, for the list of them: counted now and then by a job, since counting for each request takes
-- long, and counting with each change would make all who add people to one company wait for each other. Null: not yet.
alter table tenants add column people integer, add column running_journeys integer;
grant update (people, running_journeys) on tenants to liftwell_worker;

create function counts_of_tenants() returns table (tenant_id uuid, people integer, running_journeys integer)
  language sql stable security definer set search_path = public, pg_temp as $$
  select t.id,
    (select count(*)::int from users u where u.tenant_id = t.id and u.erased_on is null),
    (select count(*)::int from journeys j where j.tenant_id = t.id and j.status in ('scheduled', 'active', 'paused'))
  from tenants t where t.deleted_on is null and not t.is_operator
$$;
grant create on schema public to liftwell_lookup;
alter function counts_of_tenants() owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function counts_of_tenants() from public;
grant execute on function counts_of_tenants() to liftwell_worker;
