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
  at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade,
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade,
  foreign key (tenant_id, commitment_id) references commitments (tenant_id, id) on delete cascade,
  foreign key (tenant_id, response_id) references responses (tenant_id, id) on delete cascade
);
create index commitment_events_of_commitment on commitment_events (tenant_id, commitment_id, id);
select protect_through('commitment_events', 'journeys', 'journey_id');
do $$
begin
  execute format('alter policy scope_select on commitment_events using (tenant_id = scope_tenant() and case
    when scope_is_participant() then exists (select from responses r where r.tenant_id = scope_tenant() and r.id = response_id)
    else scope_sub_tenant() is null or exists (select from journeys parent
      where parent.tenant_id = scope_tenant() and parent.id = journey_id) end)');
  execute format('alter policy scope_insert on commitment_events with check (tenant_id = scope_tenant() and case
    when scope_is_participant() then scope_is_own_member(member_id)
    else scope_sub_tenant() is null or exists (select from journeys parent
      where parent.tenant_id = scope_tenant() and parent.id = journey_id) end)');
end $$;

-- The reminder on the day: when it was thought of, and on which day a message left, which is that day's reminder.
alter table commitments add reminded_on date, add messaged_on date;
create index commitments_open on commitments (by_on) where state = 'open' and reminded_on is null;
grant select on commitments to liftwell_lookup;
create policy lookup_reads on commitments for select to liftwell_lookup using (true);

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
    cross join lateral (select at at time zone coalesce(u.timezone, s.timezone, t.timezone) as now) local
  where c.state = 'open' and c.reminded_on is null
    and c.by_on between (at - interval '2 days')::date and (at + interval '2 days')::date
    and c.by_on = local.now::date and local.now::time between '08:00' and '21:00'
    and m.state <> 'withdrawn' and j.status in ('scheduled', 'active', 'completed')
    and u.activation_status <> 'disabled' and t.status = 'active' and t.deleted_on is null
$$;
grant create on schema public to liftwell_lookup;
alter function commitments_to_remind(timestamptz) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function commitments_to_remind(timestamptz) from public;
grant execute on function commitments_to_remind(timestamptz) to liftwell_worker;
