-- Who may read what happened, what people want to be told, and how a person is forgotten.

-- What happened inside a sub-tenant is read there; what happened in the middle of the company is not.
drop policy scope_select on audit_events;
drop policy scope_insert on audit_events;
drop policy scope_update on audit_events;
drop policy scope_delete on audit_events;
create policy scope_select on audit_events for select using (
  tenant_id = scope_tenant() and (scope_sub_tenant() is null or sub_tenant_id = scope_sub_tenant()));
create policy scope_insert on audit_events for insert with check (
  tenant_id = scope_tenant() and (scope_sub_tenant() is null or sub_tenant_id = scope_sub_tenant()));
create policy scope_update on audit_events for update using (
  tenant_id = scope_tenant() and (scope_sub_tenant() is null or sub_tenant_id = scope_sub_tenant()))
  with check (
  tenant_id = scope_tenant() and (scope_sub_tenant() is null or sub_tenant_id = scope_sub_tenant()));
create policy scope_delete on audit_events for delete using (
  tenant_id = scope_tenant() and (scope_sub_tenant() is null or sub_tenant_id = scope_sub_tenant()));
create index audit_events_by_actor on audit_events (tenant_id, actor_id, id desc);
create index audit_events_by_subject on audit_events (tenant_id, subject_type, subject_id, id desc);

-- A sub-tenant sees its own files and those of the whole company, never its sibling's.
alter policy scope_select on files using (tenant_id = scope_tenant()
  and (scope_sub_tenant() is null or sub_tenant_id is null or sub_tenant_id = scope_sub_tenant()));
alter policy scope_insert on files with check (tenant_id = scope_tenant()
  and (scope_sub_tenant() is null or sub_tenant_id = scope_sub_tenant()));
alter policy scope_update on files using (tenant_id = scope_tenant()
  and (scope_sub_tenant() is null or sub_tenant_id = scope_sub_tenant()))
  with check (tenant_id = scope_tenant()
  and (scope_sub_tenant() is null or sub_tenant_id = scope_sub_tenant()));
alter policy scope_delete on files using (tenant_id = scope_tenant()
  and (scope_sub_tenant() is null or sub_tenant_id = scope_sub_tenant()));

-- Types of notifications that a person has switched off.
alter table users add column muted_notifications text[] not null default '{}'
  check (muted_notifications <@ array['success', 'launch', 'info']);
-- When the person has shown that the number on file is theirs.
alter table users add column phone_verified_on timestamptz;
-- When what was known of the person was taken out of the platform.
alter table users add column erased_on timestamptz;

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

-- Takes words by which a person is known (an address, a number, a full name) out of every text of the
-- scope's tenant, tables to come included, and out of what is otherwise never changed. Master data is
-- left to the caller: no other person's address may lose a part of itself.
create function forget_words(words text[]) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  place record;
  word text;
  pattern text;
  changed text;
begin
  if scope_tenant() is null or scope_sub_tenant() is not null then
    raise exception 'A person is forgotten inside a whole tenant''s scope' using errcode = 'insufficient_privilege';
  end if;
  foreach word in array words loop
    if length(word) < 5 then continue; end if;
    for place in
      select c.relname as table_name, a.attname as column_name, format_type(a.atttypid, null) as type
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
        and format_type(a.atttypid, null) in ('text', 'citext', 'jsonb', 'text[]')
        and c.relname not in ('tenants', 'sub_tenants', 'users', 'user_identities', 'sessions')
        and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')
    loop
      -- In JSON a word stands as JSON writes it.
      pattern := case place.type when 'jsonb' then btrim(to_jsonb(word)::text, '"') else word end;
      pattern := '(?<![[:alnum:]._%+-])' || regexp_replace(pattern, '([][\\.^$*+?(){}|-])', '\\\1', 'g')
        || '(?![[:alnum:]_%+-]|\.[[:alnum:]])';
      changed := format('regexp_replace(%I::text, $1, %L, %L)', place.column_name, '[erased]', 'gi');
      execute format('update %I set %I = %s::%s where tenant_id = scope_tenant() and %I::text ~* $1',
        place.table_name, place.column_name, changed, place.type, place.column_name) using pattern;
    end loop;
  end loop;
end $$;

-- What only the person's own rows of append-only tables say about them.
create function forget_record(person bigint) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if scope_tenant() is null or scope_sub_tenant() is not null then
    raise exception 'A person is forgotten inside a whole tenant''s scope' using errcode = 'insufficient_privilege';
  end if;
  update audit_events set actor_email = null where tenant_id = scope_tenant() and actor_id = person;
  update audit_events set changes = '{}'
    where tenant_id = scope_tenant() and subject_type = 'user' and subject_id = person::text;
  delete from consent_events where tenant_id = scope_tenant() and user_id = person;
end $$;
revoke all on function forget_words(text[]), forget_record(bigint) from public;
grant execute on function forget_words(text[]), forget_record(bigint) to liftwell_app;
