-- The list of journeys in each of its orders along an index. What is missing comes last in both directions, for which a
-- nullable column needs an index of each.
create index journeys_by_start_on on journeys (tenant_id, start_on, id);
create index journeys_by_start_on_desc on journeys (tenant_id, start_on desc nulls last, id desc);
create index journeys_by_category_desc on journeys (tenant_id, lower(category) desc nulls last, id desc);
-- Of one author in the order of the list by author.
create index journeys_of_author on journeys (tenant_id, author_id, id);
drop index journeys_by_author;

-- As for people, what is searched of journeys stands with them, and they are found in the order of their list.
drop index journeys_search;
alter table journeys add column searchable text not null generated always as (search_text(name)) stored;
create index journeys_search on journeys using gin (tenant_id, searchable gin_trgm_ops);
do $change$
declare
  one record;
  before text;
  after text;
begin
  for one in select * from (values
    ('find_ids(text, text, integer, text[], bigint)', $$('journeys', 'journeys t', 'search_text(t.name)', 't.id',$$,
      $$('journeys', 'journeys t', 't.searchable', 't.created_on desc, t.id',$$),
    -- What is derived from other columns follows them.
    ('forget_words(text[])', 'not a.attisdropped', $$not a.attisdropped and a.attgenerated = ''$$)
  ) as changes (name, old, new)
  loop
    before := pg_get_functiondef(one.name::regprocedure);
    after := replace(before, one.old, one.new);
    if after = before then raise exception '% has no "%"', one.name, one.old; end if;
    execute after;
  end loop;
end $change$;
