-- People who sign in elsewhere, and how a sign-out there reaches the sessions here.

-- Tokens of this identity that were issued before are worth nothing.
alter table user_identities add column valid_after timestamptz not null default 'epoch';

-- Somebody of a pool whom its provider does not know by name yet: invited, or there before the tenant
-- went over to this pool. Whoever has been linked once is never found by an address again.
create function find_newcomer(its_pool text, address citext) returns setof principal_row language sql stable
  security definer set search_path = public, pg_temp as $$
  select p.* from users u join tenants t on t.id = u.tenant_id join pools on pools.id = t.pool_id, principal_of(u.id) p
  where u.email = address and t.pool_id = its_pool and u.activation_status <> 'disabled'
    and not exists (select from user_identities i where i.tenant_id = u.tenant_id and i.user_id = u.id and i.issuer = pools.issuer)
$$;

create function is_outdated(its_issuers text[], its_subject text, issued timestamptz) returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select exists (select from user_identities i
    where i.issuer = any(its_issuers) and i.subject = its_subject and issued < date_trunc('second', i.valid_after))
$$;

grant create on schema public to liftwell_lookup;
alter function find_newcomer(text, citext) owner to liftwell_lookup;
alter function is_outdated(text[], text, timestamptz) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function find_newcomer(text, citext), is_outdated(text[], text, timestamptz) from public;
grant execute on function find_newcomer(text, citext), is_outdated(text[], text, timestamptz) to liftwell_app;

-- The access token of a session that ends, by whatever way, is worth nothing from then on.
alter table sessions add column token_hash bytea;
create function end_token_of_session() returns trigger language plpgsql as $$
begin
  if old.token_hash is not null and old.access_expires_at > now() then
    insert into ended_tokens (token_hash, expires_at) values (old.token_hash, old.access_expires_at) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger ended_session_has_no_token after delete on sessions for each row execute function end_token_of_session();

-- Whoever disables an account, by whatever way, ends its sessions: enabled again, it begins anew.
create function end_sessions_of_user() returns trigger language plpgsql as $$
begin
  delete from sessions where tenant_id = new.tenant_id and user_id = new.id;
  update user_identities set valid_after = now() where tenant_id = new.tenant_id and user_id = new.id;
  return null;
end $$;
create trigger disabled_user_is_out after update of activation_status on users for each row
  when (new.activation_status = 'disabled' and old.activation_status <> 'disabled')
  execute function end_sessions_of_user();

-- The embedded provider signs an account out everywhere, disables it, or gives it another password: in the
-- same transaction its sessions here are over. It works in the account's tenant, behind the same wall as all.
create function end_sessions_of_account() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
declare
  scope_before text := coalesce(current_setting('app.tenant_id', true), '');
  person record;
begin
  for person in select i.tenant_id, i.user_id from user_identities i join pools p on p.issuer = i.issuer
    where p.id = new.pool_id and i.subject = new.sub::text
  loop
    perform set_config('app.tenant_id', person.tenant_id::text, true);
    delete from sessions where tenant_id = person.tenant_id and user_id = person.user_id;
    update user_identities set valid_after = now() where tenant_id = person.tenant_id and user_id = person.user_id;
  end loop;
  perform set_config('app.tenant_id', scope_before, true);
  return null;
end $$;
revoke all on function end_sessions_of_account() from public;
create trigger account_is_out after update on identity.users for each row
  when (new.tokens_valid_after is distinct from old.tokens_valid_after
    or new.password_hash is distinct from old.password_hash
    or (old.enabled and not new.enabled)
    or (new.status = 'RESET_REQUIRED' and old.status <> 'RESET_REQUIRED'))
  execute function end_sessions_of_account();
