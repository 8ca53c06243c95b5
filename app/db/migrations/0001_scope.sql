-- The wall between tenants: what a transaction is scoped to, and how a table is put behind the wall.
-- Every table with tenant_id forces row-level security: with no scope set, a query sees nothing.

create extension if not exists citext;
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

grant usage on schema public to liftwell_lookup;

-- The scope of the running transaction, set by app/domain/scope/scope.server.ts and nowhere else.
create function scope_tenant() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.tenant_id', true), '')::uuid $$;

create function scope_sub_tenant() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.sub_tenant_id', true), '')::uuid $$;

create function scope_is_operator() returns boolean language sql stable parallel safe
  as $$ select coalesce(current_setting('app.operator', true), '') = 'on' $$;

-- The scope says in which capacity somebody sees a journey. Those who look after journeys see the ones of their place,
-- and no membership shows them another. As a participant (app.participant) the same person sees the journeys in which
-- they take part, wherever these belong, and of them only what a participant may read.
create function scope_is_participant() returns boolean language sql stable parallel safe
  as $$ select coalesce(current_setting('app.participant', true), '') = 'on' $$;

-- What the clock of the scope's tenant shows. The program sets how far it is ahead together with the scope. What people
-- live through has this time; sessions, jobs, files, the audit log and what people said of messages (consent, stops) have
-- the machine's.
create function scope_now() returns timestamptz language sql stable as $$
  select now() + coalesce(nullif(current_setting('app.clock_ahead_ms', true), ''), '0')::double precision * interval '1 millisecond'
$$;

-- Puts a tenant table behind the wall: forced policies for all four commands. `sub_scoped` tables have a
-- sub_tenant_id and show, inside a sub-tenant, only that sub-tenant's rows. Where many are listed, `scope_select` then says
-- so as a case: of a setting that "is null" PostgreSQL expects one row in two hundred, and so sorts all of a tenant's for a
-- page of twenty; of a case it expects every other one, and goes along the index of the order.
create function protect(target regclass, sub_scoped boolean default false) returns void language plpgsql as $$
declare
  rule text := 'tenant_id = scope_tenant()';
begin
  if sub_scoped then
    rule := rule || ' and (scope_sub_tenant() is null or sub_tenant_id = scope_sub_tenant())';
  end if;
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy scope_select on %s for select using (%s)', target, rule);
  execute format('create policy scope_insert on %s for insert with check (%s)', target, rule);
  execute format('create policy scope_update on %s for update using (%s) with check (%s)', target, rule, rule);
  execute format('create policy scope_delete on %s for delete using (%s)', target, rule);
  execute format('grant select, insert, update, delete on %s to liftwell_app, liftwell_worker', target);
end $$;

-- The same for a table whose rows belong to a row of another one: inside a sub-tenant it shows what its parent shows
-- there. A table to come is no participant's, unless its migration says otherwise.
create function protect_through(target regclass, parent regclass, parent_key text) returns void language plpgsql as $$
declare
  rule text := format('tenant_id = scope_tenant() and (scope_sub_tenant() is null or exists (
    select from %s parent where parent.tenant_id = scope_tenant() and parent.id = %I)) and not scope_is_participant()', parent, parent_key);
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy scope_select on %s for select using (%s)', target, rule);
  execute format('create policy scope_insert on %s for insert with check (%s)', target, rule);
  execute format('create policy scope_update on %s for update using (%s) with check (%s)', target, rule, rule);
  execute format('create policy scope_delete on %s for delete using (%s)', target, rule);
  execute format('grant select, insert, update, delete on %s to liftwell_app, liftwell_worker', target);
end $$;

-- Lets the application write every column of a table but some. A later column needs a grant of its own.
create function grant_writing(target regclass, grantee name, kept name[]) returns void language plpgsql as $$
declare columns text;
begin
  select string_agg(quote_ident(attname), ', ') into columns from pg_attribute
  where attrelid = target and attnum > 0 and not attisdropped and attname <> all (kept);
  execute format('revoke insert, update on %s from %I', target, grantee);
  execute format('grant insert (%s), update (%s) on %s to %I', columns, columns, target, grantee);
end $$;

-- Text as it is indexed: lower case, and letters beyond ASCII as their bytes in octal digits, since pg_trgm knows no
-- other letters where the server's LC_CTYPE is C. It begins with a space, as every word does.
create function search_text(words text) returns text language sql immutable strict parallel safe
  as $$ select ' ' || replace(encode(decode(replace(lower(words), '\', '\\'), 'escape'), 'escape'), '\', 'x') $$;

-- One or two letters find the words that begin with them: an index knows no less than three in a row.
-- Null, which finds nothing, where there is neither a letter nor a digit.
create function search_pattern(words text) returns text language sql immutable strict parallel safe
  as $$ select case when plain ~ '[a-z0-9]{3}' then '%' || escaped || '%' when plain <> '' then '% ' || plain || '%' end
    from (select btrim(search_text(btrim(words)))) as t (typed),
      lateral (select regexp_replace(typed, '[%_]', '\\\&', 'g'), regexp_replace(typed, '^[^a-z0-9]+|[^a-z0-9]+$', '', 'g'))
        as u (escaped, plain) $$;

revoke all on function
  grant_writing(regclass, name, name[]),
  scope_now()
  from public;
grant execute on function
  scope_now()
  to liftwell_app, liftwell_worker, liftwell_lookup;
