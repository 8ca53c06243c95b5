-- Who runs the platform is written once, when it is founded; no role of the application can write it otherwise.

-- Lets the application write every column of a table but some. A later column needs a grant of its own.
create function grant_writing(target regclass, grantee name, kept name[]) returns void language plpgsql as $$
declare columns text;
begin
  select string_agg(quote_ident(attname), ', ') into columns from pg_attribute
  where attrelid = target and attnum > 0 and not attisdropped and attname <> all (kept);
  execute format('revoke insert, update on %s from %I', target, grantee);
  execute format('grant insert (%s), update (%s) on %s to %I', columns, columns, target, grantee);
end $$;
revoke all on function grant_writing(regclass, name, name[]) from public;

select grant_writing('tenants', 'liftwell_app', '{is_operator}');
select grant_writing('users', 'liftwell_app', '{is_super_admin}');
select grant_writing('users', 'liftwell_worker', '{is_super_admin}');

-- The tenant of the scope becomes the operator's own, and one person of it the first super admin: once, since a
-- second operator is one too many for tenants_one_operator.
create function found_platform(person bigint) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update tenants set is_operator = true where id = scope_tenant() and not is_operator;
  if not found then raise exception 'the platform is founded already'; end if;
  update users set is_super_admin = true where tenant_id = scope_tenant() and id = person;
  if not found then raise exception 'nobody has this id'; end if;
end $$;
revoke all on function found_platform(bigint) from public;
grant execute on function found_platform(bigint) to liftwell_app;
