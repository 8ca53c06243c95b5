-- Those of many addresses that somebody has, or another company keeps: for each of the 50,000 in a file, the look-up of
-- one was planned anew.
create function taken_emails(addresses citext[]) returns setof citext language sql stable
  security definer set search_path = public, pg_temp as $$
  select email from users where email = any (addresses)
  union select address from unnest(addresses) as address
    join email_domains d on d.domain = substring(address::text from '[^@]*$')::citext
    where d.tenant_id <> scope_tenant()
$$;
drop function is_email_taken(citext);

grant create on schema public to liftwell_lookup;
alter function taken_emails(citext[]) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function taken_emails(citext[]) from public;
grant execute on function taken_emails(citext[]) to liftwell_app, liftwell_worker;
