-- Letters that Unicode does not take apart are found by their plain forms too: "soren" finds "Søren", "lukasz" "Łukasz",
-- "strasse" "Straße". Both sizes are named, since the server's LC_CTYPE may make plain letters small only.
create or replace function search_text(words text) returns text language sql immutable parallel safe
  as $$ select ' ' || replace(encode(decode(replace(lower(case when octet_length(words) = length(words) then words
    else replace(replace(replace(translate(regexp_replace(normalize(words, nfkd), U&'[\0300-\036F]', '', 'g'),
      'ØøŁłĐđÐðĦħŦŧıÆŒæœẞß', 'oollddddhhttiÆŒÆŒßß'), 'Æ', 'ae'), 'Œ', 'oe'), 'ß', 'ss') end),
    '\', '\\'), 'escape'), 'escape'), '\', 'x') $$;

-- What is stored by it is written again where it changes, and no more (migration 0131).
alter table users no force row level security;
update users set first_name = first_name
where concat(first_name, last_name, email, department) ~ '[ØøŁłĐđÐðĦħŦŧıÆŒæœẞß]';
alter table users force row level security;
do $$
declare
  index regclass;
begin
  for index in select indexrelid from pg_index where pg_get_indexdef(indexrelid) like '%search_text(%' loop
    execute format('reindex index %s', index);
  end loop;
end $$;
