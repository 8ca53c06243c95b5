-- Sponsors are told once a week who needs a word of them, if anybody does, and unless they do not want to hear it.
alter table users drop constraint users_muted_notifications_check,
  add constraint users_muted_notifications_check
    check (muted_notifications <@ array['success', 'launch', 'info', 'brief']);

-- For which week somebody was thought of, whether there was something to tell or not.
create table sponsor_briefs (
  tenant_id uuid not null,
  user_id bigint not null,
  week_on date not null,
  created_on timestamptz not null default now(),
  primary key (tenant_id, user_id, week_on),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
select protect('sponsor_briefs');
grant select on sponsor_briefs to liftwell_lookup;
create policy lookup_reads on sponsor_briefs for select to liftwell_lookup using (true);

-- Sponsors for whom it is Monday, by day, and who were not thought of this week.
create function sponsors_to_brief(at timestamptz) returns table (tenant_id uuid, user_id bigint, week_on date) language sql stable
  security definer set search_path = public, pg_temp as $$
  select distinct u.tenant_id, u.id, local.now::date
  from members own
    join members m on m.tenant_id = own.tenant_id and m.sponsor_id = own.id
    join journeys j on j.tenant_id = own.tenant_id and j.id = own.journey_id
    join users u on u.tenant_id = own.tenant_id and u.id = own.user_id
    join tenants t on t.id = own.tenant_id
    cross join lateral (select at at time zone coalesce(u.timezone, t.timezone) as now) local
  where own.state <> 'withdrawn' and m.state <> 'withdrawn' and m.role = 'learner'
    and j.status in ('scheduled', 'active', 'paused', 'completed')
    and t.status = 'active' and t.deleted_on is null
    and u.activation_status <> 'disabled' and not 'brief' = any(u.muted_notifications)
    and extract(isodow from local.now) = 1 and local.now::time between '09:00' and '18:00'
    and not exists (select from sponsor_briefs b
      where b.tenant_id = u.tenant_id and b.user_id = u.id and b.week_on = local.now::date)
$$;
grant create on schema public to liftwell_lookup;
alter function sponsors_to_brief(timestamptz) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function sponsors_to_brief(timestamptz) from public;
grant execute on function sponsors_to_brief(timestamptz) to liftwell_worker;
