-- Names stand in the order of their letters wherever they are sorted: Çelik between Berg and Dane, not after Zhou.
-- A server without ICU keeps the order of code points.
do $$ begin
  if not exists (select from pg_collation where collname = 'und-x-icu') then
    return;
  end if;
  alter table users alter column first_name type text collate "und-x-icu",
    alter column last_name type text collate "und-x-icu";
  alter table journeys alter column name type text collate "und-x-icu";
  alter table sub_tenants alter column name type citext collate "und-x-icu";
  alter table tenants alter column name type citext collate "und-x-icu";
end $$;
