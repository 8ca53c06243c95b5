-- What learners promise, what their sponsors say to it, and who is told of it when.

-- A commitment is a to-do until it is done or let go; its words are those of the answer.
create table commitments (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  journey_id bigint not null,
  member_id bigint not null,
  lift_id bigint not null,
  prompt_id bigint not null,
  response_id bigint not null,
  by_on date not null,
  state text not null default 'open' check (state in ('open', 'done', 'dropped')),
  settled_at timestamptz,
  acknowledged_by bigint,
  acknowledged_at timestamptz,
  created_on timestamptz not null default scope_now(),
  -- The reminder on the day: when it was thought of, and on which day a message left, which is that day's reminder.
  reminded_on date,
  messaged_on date,
  primary key (tenant_id, id),
  unique (tenant_id, member_id, prompt_id),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade,
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade,
  foreign key (tenant_id, prompt_id) references prompts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, response_id) references responses (tenant_id, id) on delete cascade,
  foreign key (tenant_id, acknowledged_by) references users (tenant_id, id) on delete set null (acknowledged_by)
);
create index commitments_open on commitments (by_on) where state = 'open' and reminded_on is null;
select protect_through('commitments', 'journeys', 'journey_id');
grant select on commitments to liftwell_lookup;
create policy lookup_reads on commitments for select to liftwell_lookup using (true);

-- What became of a commitment, step by step; its words are those of the answers it was made and changed by.
create table commitment_events (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  journey_id bigint not null,
  member_id bigint not null,
  commitment_id bigint not null,
  response_id bigint not null,
  by_on date not null,
  state text not null check (state in ('open', 'done', 'dropped')),
  at timestamptz not null default scope_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade,
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade,
  foreign key (tenant_id, commitment_id) references commitments (tenant_id, id) on delete cascade,
  foreign key (tenant_id, response_id) references responses (tenant_id, id) on delete cascade
);
create index commitment_events_of_commitment on commitment_events (tenant_id, commitment_id, id);
select protect_through('commitment_events', 'journeys', 'journey_id');

-- What a sponsor writes to a learner: one a day.
create table encouragements (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  journey_id bigint not null,
  member_id bigint not null,
  sponsor_id bigint not null,
  said text not null check (length(said) between 1 and 300),
  said_on date not null,
  created_on timestamptz not null default scope_now(),
  primary key (tenant_id, id),
  unique (tenant_id, member_id, sponsor_id, said_on),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade,
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade,
  foreign key (tenant_id, sponsor_id) references members (tenant_id, id) on delete cascade
);
select protect_through('encouragements', 'journeys', 'journey_id');

-- For which week somebody was thought of, whether there was something to tell or not: sponsors are told who needs a word of
-- them, administrators and authors what happened in their journeys.
create table monday_mails (
  tenant_id uuid not null,
  user_id bigint not null,
  week_on date not null,
  created_on timestamptz not null default scope_now(),
  kind text not null check (kind in ('brief', 'summary')),
  primary key (tenant_id, user_id, kind, week_on),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
select protect('monday_mails');
grant select on monday_mails to liftwell_lookup;
create policy lookup_reads on monday_mails for select to liftwell_lookup using (true);

-- Sponsors for whom it is Monday, by day, and who were not thought of this week. `at` is by the machine's clock.
create function sponsors_to_brief(at timestamptz) returns table (tenant_id uuid, user_id bigint, week_on date) language sql stable
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

-- Learners for whom it is the day of a commitment, by day, and who were not reminded of it.
create function commitments_to_remind(at timestamptz) returns table (tenant_id uuid, user_id bigint, by_on date)
  language sql stable security definer set search_path = public, pg_temp as $$
  select distinct c.tenant_id, u.id, c.by_on
  from commitments c
    join members m on m.tenant_id = c.tenant_id and m.id = c.member_id
    join journeys j on j.tenant_id = c.tenant_id and j.id = c.journey_id
    join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
    join tenants t on t.id = c.tenant_id
    left join sub_tenants s on s.tenant_id = j.tenant_id and s.id = j.sub_tenant_id
    cross join lateral (select (at + t.clock_ahead_ms * interval '1 millisecond') at time zone coalesce(u.timezone, s.timezone, t.timezone) as now) local
  where c.state = 'open' and c.reminded_on is null
    and c.by_on between (at - interval '2 days')::date and (at + (latest_now() - now()) + interval '2 days')::date
    and c.by_on = local.now::date and local.now::time between '08:00' and '21:00'
    and m.state <> 'withdrawn' and j.status in ('scheduled', 'active', 'completed')
    and u.activation_status <> 'disabled' and t.status = 'active' and t.deleted_on is null
$$;

-- Functions that look past the policies belong to a role that can do nothing else; it may create only here.
grant create on schema public to liftwell_lookup;
alter function sponsors_to_brief(timestamptz) owner to liftwell_lookup;
alter function people_to_summarize(timestamptz) owner to liftwell_lookup;
alter function commitments_to_remind(timestamptz) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function
  sponsors_to_brief(timestamptz),
  people_to_summarize(timestamptz),
  commitments_to_remind(timestamptz)
  from public;
grant execute on function
  sponsors_to_brief(timestamptz),
  people_to_summarize(timestamptz),
  commitments_to_remind(timestamptz)
  to liftwell_worker;
