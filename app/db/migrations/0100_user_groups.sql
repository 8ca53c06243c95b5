-- Groups of people with a name, so that the same people are chosen for a journey at once.

create table user_groups (
  tenant_id uuid not null references tenants (id),
  id bigint not null generated always as identity,
  -- Null: of the whole company.
  sub_tenant_id uuid,
  -- As people call it, 80 at most; longer where a name in it was erased. It is unique where names are given, for the same reason.
  name text not null check (length(name) between 1 and 500),
  created_on timestamptz not null default now(),
  lock_version integer not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, sub_tenant_id) references sub_tenants (tenant_id, id) on delete cascade
);
select protect('user_groups', true);

create table user_group_users (
  tenant_id uuid not null,
  group_id bigint not null,
  user_id bigint not null,
  primary key (tenant_id, group_id, user_id),
  foreign key (tenant_id, group_id) references user_groups (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index user_group_users_of_user on user_group_users (tenant_id, user_id);
select protect_through('user_group_users', 'user_groups', 'group_id');

do $$ begin
  if exists (select from pg_collation where collname = 'und-x-icu') then
    alter table user_groups alter column name type text collate "und-x-icu";
  end if;
end $$;
