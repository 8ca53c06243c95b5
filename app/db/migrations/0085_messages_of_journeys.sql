-- E-mails that somebody stopped, and addresses that take none, are refused here as well. What goes out for a journey
-- beside its lifts and reminders is known by its person, so that the company's limits count it.

alter table sent_messages
  -- Both null: about an account, such as a code; no limit counts it and nothing stops it.
  add column user_id bigint,
  add column channel text check (channel in ('sms', 'email')),
  add column journey_id bigint,
  add check ((user_id is null) = (channel is null)),
  add foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  add foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete set null (journey_id);
create index sent_messages_of_journeys on sent_messages (tenant_id, created_on) where user_id is not null;
create index sent_messages_of_user on sent_messages (tenant_id, user_id) where user_id is not null;
create index sent_messages_of_journey on sent_messages (tenant_id, journey_id) where journey_id is not null;

create function mail_is_stopped(of_tenant uuid, of_user bigint, of_journey bigint, its_address citext) returns boolean
language sql stable as $$
  select exists (select from mail_stops s where s.tenant_id = of_tenant and s.user_id = of_user
      and (s.journey_id is null or s.journey_id = of_journey))
    or coalesce((select e.kind <> 'tried_again' from address_events e
      where e.tenant_id = of_tenant and e.address = its_address order by e.id desc limit 1), false)
$$;

create function refuse_stopped_dispatch() returns trigger language plpgsql as $$
begin
  if exists (select from occurrences o join members m on m.tenant_id = o.tenant_id and m.id = o.member_id
      where o.tenant_id = new.tenant_id and o.id = new.occurrence_id
        and mail_is_stopped(new.tenant_id, m.user_id, o.journey_id, new.address::citext)) then
    raise exception 'dispatch % goes to an address that is stopped', new.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger refuse_stopped_dispatch before update of state on dispatches for each row
  when (new.state = 'sending' and old.state <> 'sending' and new.channel = 'email')
  execute function refuse_stopped_dispatch();

create function refuse_stopped_message() returns trigger language plpgsql as $$
begin
  if mail_is_stopped(new.tenant_id, new.user_id, new.journey_id,
      (select u.email from users u where u.tenant_id = new.tenant_id and u.id = new.user_id)) then
    raise exception 'message % goes to an address that is stopped', new.key using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger refuse_stopped_message before insert on sent_messages for each row
  when (new.channel = 'email') execute function refuse_stopped_message();

-- The week of journeys, by mail, for administrators and authors who ask for it.
alter table users add column weekly_summary boolean not null default false;
grant insert (weekly_summary), update (weekly_summary) on users to liftwell_app, liftwell_worker;

alter table sent_messages alter created_on set default scope_now();
alter table sponsor_briefs rename to monday_mails;
alter table monday_mails add column kind text not null default 'brief' check (kind in ('brief', 'summary')),
  drop constraint sponsor_briefs_pkey, add primary key (tenant_id, user_id, kind, week_on);
alter table monday_mails alter column kind drop default;

grant create on schema public to liftwell_lookup;
create or replace function sponsors_to_brief(at timestamptz) returns table (tenant_id uuid, user_id bigint, week_on date) language sql stable
  security definer set search_path = public, pg_temp as $$
  select distinct u.tenant_id, u.id, local.now::date
  from members own
    join members m on m.tenant_id = own.tenant_id and m.sponsor_id = own.id
    join journeys j on j.tenant_id = own.tenant_id and j.id = own.journey_id
    join users u on u.tenant_id = own.tenant_id and u.id = own.user_id
    join tenants t on t.id = own.tenant_id
    cross join lateral (select (at + t.clock_ahead_ms * interval '1 millisecond') at time zone coalesce(u.timezone, t.timezone) as now) local
  where own.state <> 'withdrawn' and m.state <> 'withdrawn' and m.role = 'learner'
    and j.status in ('scheduled', 'active', 'paused', 'completed')
    and t.status = 'active' and t.deleted_on is null
    and u.activation_status <> 'disabled' and not 'brief' = any(u.muted_notifications)
    and extract(isodow from local.now) = 1 and local.now::time between '09:00' and '18:00'
    and not exists (select from monday_mails b where b.tenant_id = u.tenant_id and b.user_id = u.id
      and b.kind = 'brief' and b.week_on = local.now::date)
$$;

-- Administrators and authors for whom it is Monday, by day, and who were not thought of this week.
create function people_to_summarize(at timestamptz) returns table (tenant_id uuid, user_id bigint, week_on date)
  language sql stable security definer set search_path = public, pg_temp as $$
  select u.tenant_id, u.id, local.now::date
  from users u join tenants t on t.id = u.tenant_id
    cross join lateral (select (at + t.clock_ahead_ms * interval '1 millisecond') at time zone coalesce(u.timezone, t.timezone) as now) local
  where u.weekly_summary and u.activation_status <> 'disabled'
    and t.status = 'active' and t.deleted_on is null
    and exists (select from user_general_roles r where r.tenant_id = u.tenant_id and r.user_id = u.id
      and r.role in ('admin', 'author'))
    and extract(isodow from local.now) = 1 and local.now::time between '09:00' and '18:00'
    and not exists (select from monday_mails b where b.tenant_id = u.tenant_id and b.user_id = u.id
      and b.kind = 'summary' and b.week_on = local.now::date)
$$;
create index users_with_summary on users (tenant_id, id) where weekly_summary;
alter function sponsors_to_brief(timestamptz) owner to liftwell_lookup;
alter function people_to_summarize(timestamptz) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function people_to_summarize(timestamptz) from public;
grant execute on function people_to_summarize(timestamptz) to liftwell_worker;

-- What is open, and what can no longer be answered, without looking through what is done.
create index fact_occurrence_behind on fact_occurrence (tenant_id, journey_id, due_at) where is_counted and required
  and completed_at is null and state <> 'expired';
create index fact_occurrence_closing on fact_occurrence (tenant_id, lift_id, closes_at)
  where closes_at is not null and responded_at is null and completed_at is null;
