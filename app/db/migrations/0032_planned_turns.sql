-- Why a turn comes when it comes, and since when that is planned.

alter table occurrences
  add column shifted text[] not null default '{}',
  add column planned_on timestamptz;
alter table occurrences alter column planned_on set default now();

-- Whoever changes a zone, on whichever way (profile, administrators, imports, settings), has what is to come planned
-- anew, and so has everybody whose company changes its hours of rest. It happens after the commit.
create function replan_after_move() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp as $$
declare
  payload jsonb;
begin
  if tg_table_name = 'users' then
    payload := jsonb_build_object('tenant_id', new.tenant_id, 'user_id', new.id);
  elsif tg_table_name = 'sub_tenants' then
    payload := jsonb_build_object('tenant_id', new.tenant_id, 'sub_tenant_id', new.id);
  else
    payload := jsonb_build_object('tenant_id', new.id,
      'everybody', new.settings -> 'quiet_hours' is distinct from old.settings -> 'quiet_hours');
  end if;
  perform graphile_worker.add_job(identifier => 'replan-people', payload => payload::json, max_attempts => 8,
    job_key => 'replan:' || payload::text);
  return null;
end $$;
revoke all on function replan_after_move() from public;
create trigger replan_after_move after update of timezone on users for each row
  when (old.timezone is distinct from new.timezone) execute function replan_after_move();
create trigger replan_after_move after update of timezone on sub_tenants for each row
  when (old.timezone is distinct from new.timezone) execute function replan_after_move();
create trigger replan_after_move after update of timezone, settings on tenants for each row
  when (old.timezone is distinct from new.timezone
    or old.settings -> 'quiet_hours' is distinct from new.settings -> 'quiet_hours')
  execute function replan_after_move();
