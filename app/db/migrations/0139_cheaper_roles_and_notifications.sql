-- People of one role are counted without comparing them with each other. Whether many have a role is asked of the newest
-- 200 people instead of 2,000, one by one: PostgreSQL would read all who have it.
do $$
declare
  one record;
  before text;
  after text;
begin
  for one in select * from (values
    ('people_with_roles(text[], integer, uuid[])', 'count(*) >= 400', 'count(*) >= 40'),
    ('people_with_roles(text[], integer, uuid[])', 'limit 2000', 'limit 200'),
    ('people_with_roles(text[], integer, uuid[])', 'where exists (select from', 'where (select true from'),
    ('people_with_roles(text[], integer, uuid[])', 'any (places)))) then', 'any (places)) limit 1)) then'),
    ('count_people(integer, text[], text[], text[], uuid[])', '  elsif of_roles is not null then',
      '  elsif cardinality(of_roles) = 1 then
    return (select count(*) from (select distinct r.user_created_on, r.user_id from user_general_roles r
      where r.tenant_id = own and r.role = of_roles[1] order by r.user_created_on, r.user_id limit most) counted);
  elsif of_roles is not null then')) as changes (name, old, new)
  loop
    before := pg_get_functiondef(one.name::regprocedure);
    after := replace(before, one.old, one.new);
    if after = before then raise exception '% has no "%"', one.name, one.old; end if;
    execute after;
  end loop;
end $$;

-- Somebody's notifications, and which of them are unread, are counted along their index alone.
drop index notifications_of_user;
create index notifications_of_user on notifications (tenant_id, user_id, created_on desc, id desc) include (has_read);
