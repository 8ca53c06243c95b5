-- What is right where the answer is a number: the value, how far off it may be, and what is said to both.
alter table prompts add column target jsonb;

-- Captions are files of a page as well as what they belong to.
create or replace function note_file_uses(of_tenant uuid, of_lift bigint, of_version integer, blocks jsonb) returns void
  language sql as $$
  delete from file_uses where tenant_id = of_tenant and lift_id = of_lift and version = of_version;
  insert into file_uses (tenant_id, file_id, lift_id, version)
  select distinct f.tenant_id, f.id, of_lift, of_version
  from (
    select jsonb_path_query(blocks, '$[*].src') union all select jsonb_path_query(blocks, '$[*].captions')
  ) as named (src)
    join files f on f.tenant_id = of_tenant
      and f.id = substring(src #>> '{}' from '^/files/' || of_tenant || '/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$')::uuid;
$$;

alter table files no force row level security;
alter table lifts no force row level security;
alter table lift_versions no force row level security;
alter table file_uses no force row level security;
select note_file_uses(tenant_id, id, 0, blocks) from lifts where blocks @? '$[*].captions';
select note_file_uses(tenant_id, lift_id, version, content -> 'blocks') from lift_versions
  where content @? '$.blocks[*].captions';
alter table files force row level security;
alter table lifts force row level security;
alter table lift_versions force row level security;
alter table file_uses force row level security;
