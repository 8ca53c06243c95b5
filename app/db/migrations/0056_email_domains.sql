-- Whose people have addresses of a domain: they sign in there, and in no other company.
create table email_domains (
  tenant_id uuid not null references tenants (id),
  domain citext not null check (length(domain) between 3 and 253),
  created_on timestamptz not null default now(),
  primary key (tenant_id, domain)
);
create unique index email_domains_domain on email_domains (domain);
select protect('email_domains');
grant select on email_domains to liftwell_lookup;
create policy lookup_reads on email_domains for select to liftwell_lookup using (true);

create function tenant_of_domain(address citext) returns uuid language sql stable
  security definer set search_path = public, pg_temp as $$
  select tenant_id from email_domains where domain = substring(address::text from '[^@]*$')::citext
$$;

-- Before somebody is looked for: a known and an unknown address of a listed domain are answered alike.
create or replace function find_pool(address citext) returns setof pools language sql stable
  security definer set search_path = public, pg_temp as $$
  select pools.* from pools where id = coalesce(
    (select t.pool_id from tenants t where t.id = tenant_of_domain(address)),
    (select t.pool_id from users u join tenants t on t.id = u.tenant_id where u.email = address),
    (select id from pools where is_default))
$$;

-- Also where another company keeps the domain.
create or replace function is_email_taken(address citext) returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select exists (select from users where email = address) or coalesce(tenant_of_domain(address) <> scope_tenant(), false)
$$;

-- How many people of other companies stand in the way of a domain.
create function strangers_of_domain(its_domain citext) returns bigint language sql stable
  security definer set search_path = public, pg_temp as $$
  select count(*) from users
  where tenant_id <> scope_tenant() and substring(email::text from '[^@]*$')::citext = its_domain
$$;

grant create on schema public to liftwell_lookup;
alter function tenant_of_domain(citext) owner to liftwell_lookup;
alter function strangers_of_domain(citext) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function tenant_of_domain(citext), strangers_of_domain(citext) from public;
grant execute on function tenant_of_domain(citext) to liftwell_app, liftwell_worker, liftwell_lookup;
grant execute on function strangers_of_domain(citext) to liftwell_app;

create function keep_domains_apart() returns trigger language plpgsql as $$
begin
  if tenant_of_domain(new.email) <> new.tenant_id then
    raise unique_violation using constraint = 'users_email_domain',
      message = 'The domain of this address belongs to another company';
  end if;
  return new;
end $$;
create trigger keep_domains_apart before insert or update of email on users for each row
  execute function keep_domains_apart();

-- A company that leaves one of our own pools for another takes its accounts along, in one step: passwords and apps
-- hold, and whoever is signed in begins again.
create function move_accounts(target text) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  target_issuer text;
  account record;
begin
  select issuer into target_issuer from pools where id = target and kind = 'embedded';
  if target_issuer is null or not scope_is_operator() then
    raise exception 'Only a super admin moves accounts, and to a pool of our own' using errcode = 'insufficient_privilege';
  end if;
  for account in
    select i.user_id, i.issuer, i.subject, u.pool_id, u.sub, u.username
    from user_identities i join pools p on p.issuer = i.issuer and p.kind = 'embedded' and p.id <> target
      join identity.users u on u.pool_id = p.id and u.sub::text = i.subject
    where i.tenant_id = scope_tenant()
  loop
    -- Whoever signed up there with the same address found no company.
    delete from identity.users where pool_id = target and username = account.username
      and (status = 'UNCONFIRMED' or awaits_admission);
    update identity.users set pool_id = target where pool_id = account.pool_id and sub = account.sub;
    delete from identity.models where pool_id = account.pool_id and payload ->> 'accountId' = account.subject;
    delete from sessions where tenant_id = scope_tenant() and user_id = account.user_id;
    update user_identities set issuer = target_issuer, valid_after = now()
      where tenant_id = scope_tenant() and user_id = account.user_id and issuer = account.issuer;
  end loop;
end $$;
revoke all on function move_accounts(text) from public;
grant execute on function move_accounts(text) to liftwell_app;
