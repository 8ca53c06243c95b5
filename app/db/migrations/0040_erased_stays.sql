-- Whoever was erased never comes back: no account, no role, no journey, no name.

create function keep_erased() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - '{updated_on,lock_version}'::text[]) <> (to_jsonb(old) - '{updated_on,lock_version}'::text[]) then
    raise exception 'An erased person stays as they are' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_erased before update on users for each row
  when (old.erased_on is not null) execute function keep_erased();

create function refuse_erased() returns trigger language plpgsql as $$
begin
  if exists (select from users u where u.tenant_id = new.tenant_id and u.id = new.user_id and u.erased_on is not null) then
    raise exception 'An erased person takes part in nothing' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger refuse_erased before insert on user_general_roles for each row execute function refuse_erased();
create trigger refuse_erased before insert on user_identities for each row execute function refuse_erased();
create trigger refuse_erased before insert on sessions for each row execute function refuse_erased();
create trigger refuse_erased before insert or update of state on members for each row
  when (new.state <> 'withdrawn') execute function refuse_erased();

-- A visit to a company ends in its log, whichever way the session ends: logged out, ended from elsewhere, expired,
-- or because its person was disabled.
create function note_end_of_visit() returns trigger language plpgsql as $$
declare
  tenant_before text := coalesce(current_setting('app.tenant_id', true), '');
  part_before text := coalesce(current_setting('app.sub_tenant_id', true), '');
  visitor citext;
begin
  select u.email into visitor from users u where u.tenant_id = old.tenant_id and u.id = old.user_id;
  perform set_config('app.tenant_id', old.impersonated_tenant_id::text, true),
    set_config('app.sub_tenant_id', '', true);
  insert into audit_events
      (tenant_id, actor_id, actor_email, on_behalf_of, action, subject_type, subject_id, changes)
    values (old.impersonated_tenant_id, old.user_id, visitor, old.impersonated_tenant_id, 'impersonation.ended',
      'tenant', old.impersonated_tenant_id::text, '{"with_the_session": true}');
  perform set_config('app.tenant_id', tenant_before, true), set_config('app.sub_tenant_id', part_before, true);
  return null;
end $$;
create trigger visit_ends_with_session after delete on sessions for each row
  when (old.impersonated_tenant_id is not null) execute function note_end_of_visit();
