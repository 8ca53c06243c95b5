-- Until when somebody asks for fresh tokens says not who: another may be the next to ask until that very moment.
alter table sessions add column refreshing_by uuid;

-- Whether an account at a provider is anybody's, in whatever tenant.
create function has_person(its_issuers text[], its_subject text) returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select exists (select from user_identities i where i.issuer = any(its_issuers) and i.subject = its_subject)
$$;
grant create on schema public to liftwell_lookup;
alter function has_person(text[], text) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function has_person(text[], text) from public;
grant execute on function has_person(text[], text) to liftwell_app;
