-- Letters are found by their plain form, as people type them: "amber" finds "Ämber". Marks are taken off before letters
-- are made small, which the server's LC_CTYPE may do with plain ones only.
-- Plain words take the short way. Not strict: PostgreSQL would not write a case into its statements then, and call it.
create or replace function search_text(words text) returns text language sql immutable parallel safe
  as $$ select ' ' || replace(encode(decode(replace(lower(case when octet_length(words) = length(words) then words
    else regexp_replace(normalize(words, nfkd), U&'[\0300-\036F]', '', 'g') end), '\', '\\'), 'escape'), 'escape'), '\', 'x') $$;

-- What is stored by it is written again.
alter table users drop column searchable;
alter table users add column searchable text not null generated always as (search_text(first_name || ' ' || last_name
  || ' ' || email::text || ' ' || coalesce(department, ''))) stored;
create index users_search on users using gin (tenant_id, searchable gin_trgm_ops);
do $$
declare
  index regclass;
begin
  for index in select indexrelid from pg_index where pg_get_indexdef(indexrelid) like '%search_text(%' loop
    execute format('reindex index %s', index);
  end loop;
end $$;
