-- Which lift shows which file: who reads the lift may have the file, and what no lift shows is removed after a while.

alter table files add column created_by bigint;

create table file_uses (
  tenant_id uuid not null,
  file_id uuid not null,
  lift_id bigint not null,
  -- A version that was sent or may be; 0 is the lift as it is written now.
  version integer not null,
  primary key (tenant_id, file_id, lift_id, version),
  foreign key (tenant_id, file_id) references files (tenant_id, id) on delete cascade,
  foreign key (tenant_id, lift_id) references lifts (tenant_id, id) on delete cascade
);
create index file_uses_of_lift on file_uses (tenant_id, lift_id, version);
select protect_through('file_uses', 'lifts', 'lift_id');

-- Files of other companies, and what is no file, are named in vain.
create function note_file_uses(of_tenant uuid, of_lift bigint, of_version integer, blocks jsonb) returns void
  language sql as $$
  delete from file_uses where tenant_id = of_tenant and lift_id = of_lift and version = of_version;
  insert into file_uses (tenant_id, file_id, lift_id, version)
  select distinct f.tenant_id, f.id, of_lift, of_version
  from jsonb_path_query(blocks, '$[*].src') src
    join files f on f.tenant_id = of_tenant
      and f.id = substring(src #>> '{}' from '^/files/' || of_tenant || '/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$')::uuid;
$$;

create function note_files_of_lift() returns trigger language plpgsql as $$
begin
  perform note_file_uses(new.tenant_id, new.id, 0, new.blocks);
  return null;
end $$;
create trigger note_files after insert on lifts
  for each row when (new.blocks <> '[]') execute function note_files_of_lift();
create trigger note_changed_files after update of blocks on lifts
  for each row when (new.blocks is distinct from old.blocks) execute function note_files_of_lift();

create function note_files_of_version() returns trigger language plpgsql as $$
begin
  perform note_file_uses(new.tenant_id, new.lift_id, new.version, new.content -> 'blocks');
  return null;
end $$;
create trigger note_files after insert on lift_versions
  for each row execute function note_files_of_version();

alter table files no force row level security;
alter table lifts no force row level security;
alter table lift_versions no force row level security;
alter table file_uses no force row level security;
select note_file_uses(tenant_id, id, 0, blocks) from lifts where blocks <> '[]';
select note_file_uses(tenant_id, lift_id, version, content -> 'blocks') from lift_versions;
alter table files force row level security;
alter table lifts force row level security;
alter table lift_versions force row level security;
alter table file_uses force row level security;

-- What was uploaded more than a day ago and stands in no lift; the worker removes it inside its tenant.
grant select on files, file_uses to liftwell_lookup;
create policy lookup_reads on files for select to liftwell_lookup using (true);
create policy lookup_reads on file_uses for select to liftwell_lookup using (true);
create function unused_files() returns table (tenant_id uuid, id uuid) language sql stable
  security definer set search_path = public, pg_temp as $$
  select f.tenant_id, f.id from files f
  where f.kind <> 'logo' and f.created_on < now() - interval '1 day'
    and not exists (select from file_uses u where u.tenant_id = f.tenant_id and u.file_id = f.id)
  order by f.created_on limit 1000
$$;
grant create on schema public to liftwell_lookup;
alter function unused_files() owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function unused_files() from public;
grant execute on function unused_files() to liftwell_worker;
