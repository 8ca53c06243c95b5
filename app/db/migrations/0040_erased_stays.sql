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
