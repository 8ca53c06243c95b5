-- The last that happened to an address of the tenant, along its index: under row-level security citext, which does not say
-- that its comparison cannot leak, would be compared with every event that the tenant has, for each mail that leaves.
grant select on address_events to liftwell_lookup;
create policy lookup_reads on address_events for select to liftwell_lookup using (true);
create function address_state(its_address citext) returns table (kind text, at timestamptz) language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan rows 1 as $$
  select e.kind, e.at from address_events e
  where e.tenant_id = (select scope_tenant()) and e.address = its_address order by e.id desc limit 1
$$;
grant create on schema public to liftwell_lookup;
alter function address_state(citext) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function address_state(citext) from public;
grant execute on function address_state(citext) to liftwell_app, liftwell_worker;

create or replace function mail_is_stopped(of_tenant uuid, of_user bigint, of_journey bigint, its_address citext)
returns boolean language sql stable as $$
  select exists (select from mail_stops s where s.tenant_id = of_tenant and s.user_id = of_user
      and (s.journey_id is null or s.journey_id = of_journey))
    or coalesce((select kind <> 'tried_again' from address_state(its_address)), false)
$$;

-- What is said about a number is read in the order of its moments: a transaction that began before the last word was said,
-- and gives the number to somebody else after it, comes after it.
alter table consent_events alter column at set default clock_timestamp();

-- Inside a sub-tenant they are asked of row after row, and are planned once, as their neighbours are.
alter function scope_has_journey(bigint) set plan_cache_mode = force_generic_plan;
alter function scope_has_lift(bigint) set plan_cache_mode = force_generic_plan;
alter function scope_has_prompt(bigint) set plan_cache_mode = force_generic_plan;
alter function scope_has_assessment(bigint) set plan_cache_mode = force_generic_plan;
