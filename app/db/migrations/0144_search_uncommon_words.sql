-- A word that few of the newest rows contain may still be in tens of thousands of older ones. For a page of these in
-- order PostgreSQL read all rows along the index of that order: 9 s for a million people. Now the trigram index finds up
-- to `most` of them, which are then sorted. If there are more, participants and people with a role are searched among the
-- newest, as for common words, since too few of those found might be among them.
do $change$
declare
  before text := pg_get_functiondef('find_ids(text, text, integer, text[], bigint)'::regprocedure);
  after text := before;
  one record;
begin
  for one in select * from (values
    ($$  if people is not null and (common >= 20 or is_whole) then
    select array_agg$$,
     $$  is_all := false;
  if common < 20 and (people is null or not is_whole) then
    -- Participants, and people with a role, are narrowed after the limit: otherwise all who match would be looked up.
    among := case when find_ids.noun = 'participants' or holding <> ''
      then format('(select u.id from users u where u.tenant_id = scope_tenant() and u.searchable like $1 limit $2 + 1) u
        left join lateral (select t.* from %s where %s offset 0) t on true', case find_ids.noun
          when 'users' then 'users t' else 'members t' end, condition || holding || case find_ids.noun
          when 'users' then ' and t.id = u.id' else ' and t.user_id = u.id' end)
      else format('(select t.* from %s where %s and %s like $1 limit $2 + 1) t', place.source, condition, place.searched) end;
    execute format('select array_agg(id::text order by place) filter (where id is not null), count(*) <= $2
      from (select t.id, row_number() over (order by %s desc) as place from %s) s', place.age, among)
      into ids, is_all using pattern, most, people, of_roles, of_journey;
  end if;
  if is_all or (common < 20 and holding = '' and find_ids.noun <> 'participants') then
    is_whole := true;
  elsif people is not null then
    select array_agg$$),
    ($$  elsif common >= 20 then
    execute$$, $$  else
    among := fields || case when find_ids.noun = 'participants' then one_by_one else place.source end
      || ' where ' || condition || holding;
    execute$$),
    ($$  else
    is_whole := true;
    among := fields || place.source || ' where ' || condition || holding;
    execute format('select array_agg(id::text), count(*) <= $2
      from (%s and %s like $1 order by %s desc limit $2 + 1) s', among, place.searched, place.age)
      into ids, is_all using pattern, most, people, of_roles, of_journey;
  end if;
$$, $$  end if;
$$)
  ) as changes (old, new)
  loop
    if position(one.old in after) = 0 then raise exception 'find_ids has no "%"', one.old; end if;
    after := replace(after, one.old, one.new);
  end loop;
  execute after;
end $change$;
