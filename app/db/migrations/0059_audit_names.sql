-- A line of the log says what it is about also when that is gone: the name as it was.
alter table audit_events add column subject_name text;

-- What only the person's own rows of append-only tables say about them.
create or replace function forget_record(person bigint) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if scope_tenant() is null or scope_sub_tenant() is not null then
    raise exception 'A person is forgotten inside a whole tenant''s scope' using errcode = 'insufficient_privilege';
  end if;
  update audit_events set actor_email = null where tenant_id = scope_tenant() and actor_id = person;
  update audit_events set changes = '{}', subject_name = null
    where tenant_id = scope_tenant() and subject_type = 'user' and subject_id = person::text;
  delete from consent_events where tenant_id = scope_tenant() and user_id = person;
end $$;
