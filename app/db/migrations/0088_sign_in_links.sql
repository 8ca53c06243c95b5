-- Links in messages that sign their learner in once. Nobody makes one from what is kept here.
create table sign_in_links (
  tenant_id uuid not null,
  -- The message that carries it.
  dispatch_id bigint not null,
  user_id bigint not null,
  token_hash bytea not null,
  created_on timestamptz not null default now(),
  expires_on timestamptz not null,
  used_on timestamptz,
  primary key (tenant_id, dispatch_id),
  foreign key (tenant_id, dispatch_id) references dispatches (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create unique index sign_in_links_token on sign_in_links (token_hash);
create index sign_in_links_of_user on sign_in_links (tenant_id, user_id, expires_on);
select protect('sign_in_links');
grant select on sign_in_links to liftwell_lookup;
create policy lookup_reads on sign_in_links for select to liftwell_lookup using (true);

-- A link that somebody opens: its person as they are now.
grant create on schema public to liftwell_lookup;
create function find_sign_in_link(hash bytea) returns table (
  person principal_row, dispatch_id bigint, expires_on timestamptz, used_on timestamptz
) language sql stable security definer set search_path = public, pg_temp as $$
  select p, l.dispatch_id, l.expires_on, l.used_on
  from sign_in_links l, principal_of(l.user_id) p where l.token_hash = hash and p.tenant_id = l.tenant_id
$$;
alter function find_sign_in_link(bytea) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function find_sign_in_link(bytea) from public;
grant execute on function find_sign_in_link(bytea) to liftwell_app;
