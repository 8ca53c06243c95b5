-- Whatever ends a session here ends the sign-in at the embedded provider that it came from, in the same transaction.
-- Otherwise whoever opens that browser next is signed in again, without a password.

-- The provider's own name for the sign-in: `sid` of the ID token.
alter table sessions add column provider_session text;

create function end_provider_session() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  delete from identity.models where pool_id = old.pool_id and kind = 'Session' and uid = old.provider_session;
  -- Codes on their way to a callback, and screens that the same browser has half passed.
  delete from identity.models where pool_id = old.pool_id and kind in ('AuthorizationCode', 'Interaction')
    and coalesce(payload ->> 'sessionUid', payload #>> '{session,uid}') = old.provider_session;
  return null;
end $$;
revoke all on function end_provider_session() from public;
create trigger ended_session_is_out_at_provider after delete on sessions for each row
  when (old.provider_session is not null) execute function end_provider_session();

create index models_of_session on identity.models
  (pool_id, (coalesce(payload ->> 'sessionUid', payload #>> '{session,uid}')))
  where kind in ('AuthorizationCode', 'Interaction');

-- Of those that began before, nobody knows which session they belong to.
delete from identity.models where kind = 'Session';

-- Sessions that ended because an account was disabled, so that their holder is told the reason.
create table ended_sessions (
  tenant_id uuid not null,
  id_hash bytea not null,
  user_id bigint not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id_hash),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index ended_sessions_of_user on ended_sessions (tenant_id, user_id);
create index ended_sessions_expired on ended_sessions (tenant_id, expires_at);
select protect('ended_sessions');

create or replace function end_sessions_of_user() returns trigger language plpgsql as $$
begin
  insert into ended_sessions (tenant_id, id_hash, user_id, expires_at)
    select tenant_id, id_hash, user_id, expires_at from sessions where tenant_id = new.tenant_id and user_id = new.id
    on conflict do nothing;
  delete from sessions where tenant_id = new.tenant_id and user_id = new.id;
  update user_identities set valid_after = now() where tenant_id = new.tenant_id and user_id = new.id;
  return null;
end $$;

grant select on ended_sessions to liftwell_lookup;
create policy lookup_reads on ended_sessions for select to liftwell_lookup using (true);
create unique index ended_sessions_id on ended_sessions (id_hash);

-- Whether the session of a cookie ended because its person is disabled, and still is.
create function is_session_of_disabled(hash bytea) returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select exists (select from ended_sessions e join users u on u.tenant_id = e.tenant_id and u.id = e.user_id
    where e.id_hash = hash and e.expires_at > now() and u.activation_status = 'disabled')
$$;
grant create on schema public to liftwell_lookup;
alter function is_session_of_disabled(bytea) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function is_session_of_disabled(bytea) from public;
grant execute on function is_session_of_disabled(bytea) to liftwell_app;
