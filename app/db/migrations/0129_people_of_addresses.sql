-- Who of the tenant has one of these addresses. citext does not say that its comparison cannot leak: under row-level
-- security PostgreSQL would hold each person of the tenant against the policy before it compares one address. What is found
-- is looked up by its id, and seen by the same rules as ever.
create function people_of_addresses(addresses citext[]) returns setof bigint language sql stable
  security definer set search_path = public, pg_temp as $$
  select id from users where email = any (addresses) and tenant_id = scope_tenant()
$$;
grant create on schema public to liftwell_lookup;
alter function people_of_addresses(citext[]) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function people_of_addresses(citext[]) from public;
grant execute on function people_of_addresses(citext[]) to liftwell_app, liftwell_worker;
