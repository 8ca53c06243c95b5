-- Whether the person of the scope sponsors anybody now, wherever the journeys belong: asked with every page.
create function scope_is_sponsor() returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select exists (select from members own
      join journeys j on j.tenant_id = own.tenant_id and j.id = own.journey_id
    where own.tenant_id = scope_tenant() and own.user_id = nullif(current_setting('app.user_id', true), '')::bigint
      and own.role = 'sponsor' and own.state <> 'withdrawn'
      and j.status in ('scheduled', 'active', 'paused', 'completed')
      and exists (select from members m
        where m.tenant_id = own.tenant_id and m.sponsor_id = own.id and m.state <> 'withdrawn'))
$$;
grant create on schema public to liftwell_lookup;
alter function scope_is_sponsor() owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function scope_is_sponsor() from public;
grant execute on function scope_is_sponsor() to liftwell_app;

-- By keys only, whatever the size of a tenant: one plan serves all.
alter function principal_of(bigint) set plan_cache_mode = force_generic_plan;
alter function find_principal(text, text) set plan_cache_mode = force_generic_plan;
alter function find_session(bytea) set plan_cache_mode = force_generic_plan;
alter function is_outdated(text[], text, timestamptz) set plan_cache_mode = force_generic_plan;
alter function clock_ahead_ms(uuid) set plan_cache_mode = force_generic_plan;
alter function scope_is_sponsor() set plan_cache_mode = force_generic_plan;
