-- Who runs the server adds super admins and removes them: one after the other, and never the
-- last who can sign in. False: it is the last.
create function set_super_admin(person bigint, wanted boolean) returns boolean language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  perform from tenants where id = scope_tenant() and is_operator for update;
  if not found then raise exception 'super admins belong to the operator'; end if;
  if not wanted and not exists (select from users where tenant_id = scope_tenant() and id <> person
      and is_super_admin and activation_status = 'active') then
    return false;
  end if;
  update users set is_super_admin = wanted where tenant_id = scope_tenant() and id = person;
  if not found then raise exception 'nobody has this id'; end if;
  return true;
end $$;
revoke all on function set_super_admin(bigint, boolean) from public;
grant execute on function set_super_admin(bigint, boolean) to liftwell_worker;
