-- People: their roles and groups, the files that they come from, and whose an address or a number is in any company.

create table users (
  tenant_id uuid not null references tenants (id),
  id bigint not null generated always as identity,
  email citext not null check (length(email) between 3 and 254),
  first_name text not null default '' check (length(first_name) <= 80),
  last_name text not null default '' check (length(last_name) <= 80),
  mobile_phone text check (mobile_phone ~ '^\+[1-9][0-9]{6,14}$'),
  job_title text check (length(job_title) <= 120),
  timezone text,
  activation_status text not null default 'invited' check (activation_status in ('invited', 'active', 'disabled')),
  is_super_admin boolean not null default false,
  sms_opt_in boolean not null default false,
  accepted_terms_on timestamptz,
  accepted_terms_version text,
  last_seen_on timestamptz,
  created_on timestamptz not null default now(),
  updated_on timestamptz not null default now(),
  lock_version integer not null default 0,
  -- Types of notifications that a person has switched off.
  muted_notifications text[] not null default '{}' check (muted_notifications <@ array['success', 'launch', 'info', 'brief']),
  -- When the person has shown that the number on file is theirs.
  phone_verified_on timestamptz,
  -- When what was known of the person was taken out of the platform.
  erased_on timestamptz,
  -- Where in the company the person works.
  department text check (length(department) <= 120),
  -- The week of journeys, by mail, for administrators and authors who ask for it.
  weekly_summary boolean not null default false,
  primary key (tenant_id, id)
);
-- An address finds its pool before the tenant is known, so it is taken once on the whole platform.
create unique index users_email on users (email);
-- Whoever asks is found by their id alone, before a tenant is known, and whoever writes a text by their number. Among few
-- tenants PostgreSQL skips through an index that begins with the tenant; among many it read all of it, or all people.
create unique index users_by_id on users (id);
create index users_by_number on users (mobile_phone) where mobile_phone is not null;
create index users_by_date on users (tenant_id, created_on desc, id desc);
create index users_by_name on users (tenant_id, last_name, first_name, id);
-- The list of people by their status, among a million as among a thousand.
create index users_by_status on users (tenant_id, activation_status, id);
create index users_by_department on users (tenant_id, department, created_on desc, id desc) where department is not null;
create index users_with_summary on users (tenant_id, id) where weekly_summary;
-- A few people are disabled; who of them takes part is asked of them, not of everybody.
create index users_disabled on users (tenant_id, id) where activation_status = 'disabled';
alter table users enable row level security;
alter table users force row level security;
grant select, insert, update, delete on users to liftwell_app;
grant select, update on users to liftwell_worker;
grant insert on users to liftwell_worker;
grant select on users to liftwell_lookup;
create policy lookup_reads on users for select to liftwell_lookup using (true);
select grant_writing('users', 'liftwell_app', '{is_super_admin}');
select grant_writing('users', 'liftwell_worker', '{is_super_admin}');

-- Names stand in the order of their letters, as in 0002_tenancy.sql.
do $$ begin
  if exists (select from pg_collation where collname = 'und-x-icu') then
    alter table users alter column first_name type text collate "und-x-icu",
      alter column last_name type text collate "und-x-icu";
  end if;
end $$;
-- What is searched of people stands with them: made anew for each of ten thousand it took most of the time of a search.
-- It comes last, since it is made of the names, and since nobody writes it (`grant_writing`).
alter table users add column searchable text not null generated always as (search_text(first_name || ' ' || last_name
  || ' ' || email::text || ' ' || coalesce(department, ''))) stored;
create index users_search on users using gin (tenant_id, searchable gin_trgm_ops);

-- An account that is disabled, in any way, loses its sessions: enabled again, it begins from the start.
create function end_sessions_of_user() returns trigger language plpgsql as $$
begin
  insert into ended_sessions (tenant_id, id_hash, user_id, expires_at)
    select tenant_id, id_hash, user_id, expires_at from sessions where tenant_id = new.tenant_id and user_id = new.id
    on conflict do nothing;
  delete from sessions where tenant_id = new.tenant_id and user_id = new.id;
  update user_identities set valid_after = now() where tenant_id = new.tenant_id and user_id = new.id;
  return null;
end $$;
create trigger disabled_user_is_out after update of activation_status on users for each row
  when (new.activation_status = 'disabled' and old.activation_status <> 'disabled')
  execute function end_sessions_of_user();
create trigger replan_after_move after update of timezone on users for each row
  when (old.timezone is distinct from new.timezone) execute function replan_after_move();

-- Consent is given by a person for a number: a person who gets a number that somebody else agreed for has agreed
-- to nothing, and one who takes up their own again has not changed their mind.
create function follow_number() returns trigger language plpgsql as $$
declare
  said record;
begin
  if tg_op = 'UPDATE' then
    if new.mobile_phone is not distinct from old.mobile_phone then
      new.sms_opt_in := old.sms_opt_in;
      return new;
    end if;
    new.sms_opt_in := false;
  end if;
  if new.mobile_phone is null then return new; end if;
  select e.action, e.user_id into said from consent_events e
    where e.tenant_id = new.tenant_id and e.number = new.mobile_phone and e.action <> 'import'
    order by e.at desc, e.id desc limit 1;
  if said.action = 'opt_in' and said.user_id is not distinct from new.id then
    new.sms_opt_in := true;
  elsif said.action = 'opt_in' then
    insert into consent_events (tenant_id, number, action, source)
      values (new.tenant_id, new.mobile_phone, 'reassigned', 'number');
  end if;
  return new;
end $$;
create trigger follow_number before insert or update of mobile_phone on users
  for each row execute function follow_number();

-- A person who was erased never comes back: no account, no role, no journey, no name. A generated column has no value yet
-- where a trigger compares.
create function keep_erased() returns trigger language plpgsql as $$
declare
  free constant text[] := '{updated_on,lock_version,searchable}';
begin
  if (to_jsonb(new) - free) <> (to_jsonb(old) - free) then
    raise exception 'An erased person stays as they are' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_erased before update on users for each row
  when (old.erased_on is not null) execute function keep_erased();

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

create table user_general_roles (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  user_id bigint not null,
  role text not null check (role in ('admin', 'author', 'user')),
  sub_tenant_id uuid,
  created_on timestamptz not null default now(),
  -- Since when the person is there, which never changes: people of a role are met in the order of their list, newest first,
  -- along an index of the roles.
  user_created_on timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  foreign key (tenant_id, sub_tenant_id) references sub_tenants (tenant_id, id)
);
create unique index user_general_roles_once on user_general_roles (tenant_id, user_id, role, sub_tenant_id) nulls not distinct;
create index user_general_roles_by_sub on user_general_roles (tenant_id, sub_tenant_id, user_id);
create index user_general_roles_of_role on user_general_roles (tenant_id, role, user_created_on desc, user_id desc);
create index user_general_roles_in_sub_tenant on user_general_roles (tenant_id, sub_tenant_id, user_created_on desc, user_id desc)
  where sub_tenant_id is not null;
select protect('user_general_roles', true);
alter policy scope_select on user_general_roles using (tenant_id = scope_tenant()
  and case when scope_sub_tenant() is null then true else sub_tenant_id = scope_sub_tenant() end);
grant select on user_general_roles to liftwell_lookup;
create policy lookup_reads on user_general_roles for select to liftwell_lookup using (true);

create function refuse_erased() returns trigger language plpgsql as $$
begin
  if exists (select from users u where u.tenant_id = new.tenant_id and u.id = new.user_id and u.erased_on is not null) then
    raise exception 'An erased person takes part in nothing' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger refuse_erased before insert on user_general_roles for each row execute function refuse_erased();

-- Inside a sub-tenant a person is seen from their first role on. Who is made by the same statement is there since now.
create function date_role_by_person() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  new.user_created_on := coalesce(
    (select u.created_on from users u where u.tenant_id = new.tenant_id and u.id = new.user_id), new.user_created_on);
  return new;
end $$;
create trigger date_by_person before insert on user_general_roles for each row execute function date_role_by_person();

create function scope_shows_user(person bigint) returns boolean language sql stable
  as $$ select scope_sub_tenant() is null or exists (
    select from user_general_roles r where r.tenant_id = scope_tenant() and r.user_id = person
      and r.sub_tenant_id = scope_sub_tenant()) or person = nullif(current_setting('app.user_id', true), '')::bigint $$;

-- A person of another sub-tenant does not exist for a sub-tenant's scope. Outside a sub-tenant everybody of the tenant is
-- shown: said in the policy itself it costs nothing, in a function it is a call for each of the tenant's people.
create policy scope_select on users for select using (tenant_id = scope_tenant()
  and (scope_sub_tenant() is null or scope_shows_user(id)));
create policy scope_insert on users for insert with check (tenant_id = scope_tenant());
create policy scope_update on users for update using (tenant_id = scope_tenant()
  and (scope_sub_tenant() is null or scope_shows_user(id))) with check (tenant_id = scope_tenant());
create policy scope_delete on users for delete using (tenant_id = scope_tenant()
  and (scope_sub_tenant() is null or scope_shows_user(id)));

-- Groups of people with a name, so that the same people are chosen for a journey at once.
create table user_groups (
  tenant_id uuid not null references tenants (id),
  id bigint not null generated always as identity,
  -- Null: of the whole company.
  sub_tenant_id uuid,
  -- As people call it, 80 at most; longer where a name in it was erased. It is unique where names are given, for the same reason.
  name text not null check (length(name) between 1 and 500),
  created_on timestamptz not null default now(),
  lock_version integer not null default 0,
  -- How many are in it, kept: a list of groups of a million people counted them all.
  people integer not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, sub_tenant_id) references sub_tenants (tenant_id, id) on delete cascade
);
select protect('user_groups', true);
alter policy scope_select on user_groups using (tenant_id = scope_tenant()
  and case when scope_sub_tenant() is null then true else sub_tenant_id = scope_sub_tenant() end);

-- Their names, too, stand in the order of their letters.
do $$ begin
  if exists (select from pg_collation where collname = 'und-x-icu') then
    alter table user_groups alter column name type text collate "und-x-icu";
  end if;
end $$;

create table user_group_users (
  tenant_id uuid not null,
  group_id bigint not null,
  user_id bigint not null,
  primary key (tenant_id, group_id, user_id),
  foreign key (tenant_id, group_id) references user_groups (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index user_group_users_of_user on user_group_users (tenant_id, user_id);
select protect_through('user_group_users', 'user_groups', 'group_id');

create function count_people_of_groups() returns trigger language plpgsql as $$
begin
  update user_groups g set people = g.people + case tg_op when 'INSERT' then n else -n end
  from (select tenant_id, group_id, count(*)::int as n from changed group by 1, 2) c
  where g.tenant_id = c.tenant_id and g.id = c.group_id;
  return null;
end $$;
create trigger count_inserted after insert on user_group_users
  referencing new table as changed for each statement execute function count_people_of_groups();
create trigger count_deleted after delete on user_group_users
  referencing old table as changed for each statement execute function count_people_of_groups();

-- A new address or number that waits for the code that was sent to it: one of each kind per person.
create table contact_changes (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  user_id bigint not null,
  kind text not null check (kind in ('email', 'phone')),
  value text not null check (length(value) between 3 and 254),
  code_digest bytea,
  failures integer not null default 0,
  sent timestamptz[] not null default '{}',
  expires_at timestamptz not null,
  created_on timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, user_id, kind),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
select protect('contact_changes');

-- Files of people that are being, or were, imported: a page of the importer's own follows each.
create table user_imports (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  sub_tenant_id uuid,
  created_by bigint,
  created_by_email text,
  file_name text not null check (length(file_name) <= 200),
  dry_run boolean not null,
  send_welcome boolean not null,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'finished', 'failed')),
  problem text,
  -- What was sent, as text; gone once it has been read to its end.
  source text,
  rows_total integer,
  rows_processed integer not null default 0,
  created integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  errors jsonb not null default '[]',
  -- A line for each row: what became of it.
  result text not null default '',
  created_on timestamptz not null default now(),
  finished_on timestamptz,
  -- The import that a dry run became, so that whoever asks for it again is led there.
  imported_as uuid,
  primary key (tenant_id, id),
  foreign key (tenant_id, imported_as) references user_imports (tenant_id, id) on delete set null (imported_as)
);
create index user_imports_by_time on user_imports (tenant_id, created_on desc);
create index user_imports_imported_as on user_imports (tenant_id, imported_as);
select protect('user_imports', true);
alter policy scope_select on user_imports using (tenant_id = scope_tenant()
  and case when scope_sub_tenant() is null then true else sub_tenant_id = scope_sub_tenant() end);
grant select on user_imports to liftwell_lookup;
create policy lookup_reads on user_imports for select to liftwell_lookup using (true);

-- Those of many addresses that somebody has, or another company keeps: for each of the 50,000 in a file, a look-up of one
-- would be planned anew.
create function taken_emails(addresses citext[]) returns setof citext language sql stable
  security definer set search_path = public, pg_temp as $$
  select email from users where email = any (addresses)
  union select address from unnest(addresses) as address
    join email_domains d on d.domain = substring(address::text from '[^@]*$')::citext
    where d.tenant_id <> scope_tenant()
$$;

-- How many people of other companies stand in the way of a domain.
create function strangers_of_domain(its_domain citext) returns bigint language sql stable
  security definer set search_path = public, pg_temp as $$
  select count(*) from users
  where tenant_id <> scope_tenant() and substring(email::text from '[^@]*$')::citext = its_domain
$$;

-- A text comes in for the platform's one number: which companies know the number it came from.
create function tenants_of_number(its_number text) returns setof uuid language sql stable
  security definer set search_path = public, pg_temp as $$
  select distinct u.tenant_id from users u join tenants t on t.id = u.tenant_id
  where u.mobile_phone = its_number and t.deleted_on is null
$$;

-- A carrier of mails speaks of an address: which companies know it.
create function tenants_of_address(its_address citext) returns setof uuid language sql stable
  security definer set search_path = public, pg_temp as $$
  select distinct u.tenant_id from users u join tenants t on t.id = u.tenant_id
  where u.email = its_address and t.deleted_on is null
$$;

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

-- Functions that look past the policies belong to a role that can do nothing else; it may create only here.
grant create on schema public to liftwell_lookup;
alter function date_role_by_person() owner to liftwell_lookup;
alter function taken_emails(citext[]) owner to liftwell_lookup;
alter function strangers_of_domain(citext) owner to liftwell_lookup;
alter function tenants_of_number(text) owner to liftwell_lookup;
alter function tenants_of_address(citext) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function
  date_role_by_person(),
  taken_emails(citext[]),
  strangers_of_domain(citext),
  tenants_of_number(text),
  tenants_of_address(citext),
  found_platform(bigint)
  from public;
grant execute on function
  taken_emails(citext[]),
  strangers_of_domain(citext),
  tenants_of_number(text),
  tenants_of_address(citext),
  found_platform(bigint)
  to liftwell_app;
grant execute on function
  taken_emails(citext[])
  to liftwell_worker;
