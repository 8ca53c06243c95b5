-- When people were last here is shown to their administrators, so it is noted when they sign in, too, and goes with them.
alter table users no force row level security;
alter table audit_events no force row level security;
alter table users disable trigger keep_erased;
update users set last_seen_on = null where erased_on is not null and last_seen_on is not null;
alter table users enable trigger keep_erased;
-- Those who left within a minute of signing in.
update users u set last_seen_on = seen.at from (
  select one.tenant_id, one.id, (select e.at from audit_events e where e.tenant_id = one.tenant_id and e.actor_id = one.id
    and e.action = 'user.signed_in' order by e.at desc limit 1) as at
  from users one where one.last_seen_on is null and one.activation_status <> 'invited' and one.erased_on is null) seen
where u.tenant_id = seen.tenant_id and u.id = seen.id and seen.at is not null;
alter table audit_events force row level security;
alter table users force row level security;
