-- What a number or an address got, the latest first.
create index outbox_messages_of_recipient on outbox_messages (tenant_id, recipient, created_on desc, id desc);

-- The key of every job begins with its tenant: the queue's own view says so much, and nothing of the payload.
create or replace function enqueue_job(name text, payload jsonb, key text default null, run_at timestamptz default null,
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
    -- The queue goes by the machine's clock.
    run_at => enqueue_job.run_at - (scope_now() - now()),
    max_attempts => 8,
    job_key => tenant || ':' || coalesce(key, gen_random_uuid()::text),
    flags => array[coalesce(carrier, 'other')]);
end $$;

-- Takes all that was lived through out of the testing tenant, and everybody but some, where somebody asked for it. Its record stays, and so do the
-- files, which go by themselves where nothing uses them.
create function empty_testing_tenant(kept_people bigint[]) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  its uuid := scope_tenant();
  waiting name[];
  place name;
begin
  if scope_sub_tenant() is not null or not exists (select from tenants
      where id = its and is_testing and clock_move ->> 'starts_again' = 'true') then
    raise exception 'Only the testing tenant begins again' using errcode = 'insufficient_privilege';
  end if;
  waiting := array(select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> all (array['sub_tenants',
      'users', 'user_identities', 'user_general_roles', 'sessions', 'ended_sessions', 'ended_tokens', 'api_keys',
      'idempotency_keys', 'email_domains', 'refused_sign_ins', 'audit_events', 'files']::name[]));
  while cardinality(waiting) > 0 loop
    -- Those first to which nothing else refers any more.
    select w into place from unnest(waiting) w where not exists (
      select from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class target on target.oid = k.confrelid
      where k.contype = 'f' and target.relname = w and c.relname <> w and c.relname = any(waiting)) limit 1;
    if place is null then
      raise exception 'The tables % refer to each other', waiting;
    end if;
    execute format('delete from %I where tenant_id = $1', place) using its;
    waiting := array_remove(waiting, place);
  end loop;
  delete from users where tenant_id = its and id <> all (kept_people);
end $$;
revoke all on function empty_testing_tenant(bigint[]) from public;
grant execute on function empty_testing_tenant(bigint[]) to liftwell_app;
