-- Whoever asks is found by their id alone, before a tenant is known, and whoever writes a text by their number. Among few
-- tenants PostgreSQL skips through an index that begins with the tenant; among many it read all of it, or all people.
create unique index users_by_id on users (id);
create index users_by_number on users (mobile_phone) where mobile_phone is not null;
