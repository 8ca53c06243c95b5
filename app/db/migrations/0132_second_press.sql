-- After a session got a new id, or ended by logging out: the next cookie, or the next address, for the second press of a
-- form, which another process may answer. Sealed, as it contains the new id or a token.
alter table ended_sessions add column leads_on_sealed text;

create function leads_on_of_session(hash bytea) returns text language sql stable
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select leads_on_sealed from ended_sessions where id_hash = hash and expires_at > now()
$$;
grant create on schema public to liftwell_lookup;
alter function leads_on_of_session(bytea) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function leads_on_of_session(bytea) from public;
grant execute on function leads_on_of_session(bytea) to liftwell_app;
