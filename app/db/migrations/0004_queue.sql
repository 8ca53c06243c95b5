-- The door to the job queue (graphile-worker, in its own schema). The application sees no table of it:
-- it can only add a job, and a job always carries the tenant of the scope it was added in.
create function enqueue_job(name text, payload jsonb, key text default null, run_at timestamptz default null)
  returns void language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
    job_key => tenant || ':' || key);
end $$;
revoke all on function enqueue_job(text, jsonb, text, timestamptz) from public;
grant execute on function enqueue_job(text, jsonb, text, timestamptz) to liftwell_app, liftwell_worker;
