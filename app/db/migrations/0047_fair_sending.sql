-- What is due is claimed by channel, tenant after tenant; leases and look-ups are found without looking through it.
drop index dispatches_due;
create index dispatches_due on dispatches (channel, next_attempt_at) where state = 'planned';
create index dispatches_of_tenant_due on dispatches (channel, tenant_id, next_attempt_at, id) where state = 'planned';
create index dispatches_leased on dispatches (lease_until) where state in ('claimed', 'sending');
create index dispatches_to_look_up on dispatches (next_attempt_at) where state = 'unknown';

-- A job that hands a message to a carrier says to which: each carrier's jobs run apart from all others.
drop function enqueue_job(text, jsonb, text, timestamptz);
create function enqueue_job(name text, payload jsonb, key text default null, run_at timestamptz default null,
  carrier text default null) returns void language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp as $$
declare
  tenant uuid := scope_tenant();
begin
  if tenant is null then
    raise exception 'A job is added inside a tenant''s scope' using errcode = 'insufficient_privilege';
  end if;
  perform graphile_worker.add_job(
    identifier => name,
    payload => (payload || jsonb_build_object('tenant_id', tenant))::json,
    run_at => enqueue_job.run_at,
    max_attempts => 8,
    job_key => tenant || ':' || key,
    flags => array[coalesce(carrier, 'other')]);
end $$;
revoke all on function enqueue_job(text, jsonb, text, timestamptz, text) from public;
grant execute on function enqueue_job(text, jsonb, text, timestamptz, text) to liftwell_app, liftwell_worker;
