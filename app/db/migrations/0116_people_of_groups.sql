-- How many are in a group is kept with it: a list of groups of a million people counted them all.
alter table user_groups add people integer not null default 0;

create function count_people_of_groups() returns trigger language plpgsql as $$
begin
  update user_groups g set people = g.people + case tg_op when 'INSERT' then n else -n end
  from (select tenant_id, group_id, count(*)::int as n from changed group by 1, 2) c
  where g.tenant_id = c.tenant_id and g.id = c.group_id;
  return null;
end $$;
create trigger count_inserted after insert on user_group_users
  referencing new table as changed for each statement execute function count_people_of_groups();
create trigger count_deleted after delete on user_group_users
  referencing old table as changed for each statement execute function count_people_of_groups();

-- Nobody else is at work while tables are changed.
alter table user_groups no force row level security;
alter table user_group_users no force row level security;
update user_groups g set people = c.n
from (select tenant_id, group_id, count(*) as n from user_group_users group by 1, 2) c
where g.tenant_id = c.tenant_id and g.id = c.group_id;
alter table user_groups force row level security;
alter table user_group_users force row level security;
