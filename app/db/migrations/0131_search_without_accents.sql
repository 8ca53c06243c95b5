-- Letters are found by their plain form, as people type them: "amber" finds "Ämber". Marks are taken off before letters
-- are made small, which the server's LC_CTYPE may do with plain ones only.
-- Plain words take the short way. Not strict: PostgreSQL would not write a case into its statements then, and call it.
create or replace function search_text(words text) returns text language sql immutable parallel safe
  as $$ select ' ' || replace(encode(decode(replace(lower(case when octet_length(words) = length(words) then words
    else regexp_replace(normalize(words, nfkd), U&'[\0300-\036F]', '', 'g') end), '\', '\\'), 'escape'), 'escape'), '\', 'x') $$;

-- What is stored by it is written again where it changes. All rows, as by a new column, would leave a table that no index
-- alone can count until it is vacuumed: the first page of a million people took ten times as long.
alter table users no force row level security;
update users set first_name = first_name
where octet_length(concat(first_name, last_name, email, department)) <> length(concat(first_name, last_name, email, department));
alter table users force row level security;
do $$
declare
  index regclass;
begin
  for index in select indexrelid from pg_index where pg_get_indexdef(indexrelid) like '%search_text(%' loop
    execute format('reindex index %s', index);
  end loop;
end $$;
