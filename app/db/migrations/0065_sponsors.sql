-- What sponsors read of their learners, what learners promise, and what sponsors say to it.

-- One's learners for as long as they take part; whoever left, or has another sponsor now, is nobody's business here.
create function scope_sponsors_learner(member bigint) returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select exists (select from members m where m.tenant_id = scope_tenant() and m.id = member and m.role = 'learner'
    and m.state <> 'withdrawn' and m.sponsor_id is not null and scope_is_own_member(m.sponsor_id))
$$;
create function scope_sponsors_lift(lift bigint, of_version integer) returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select exists (select from members own
      join members m on m.tenant_id = own.tenant_id and m.sponsor_id = own.id and m.state <> 'withdrawn'
      join occurrences o on o.tenant_id = m.tenant_id and o.member_id = m.id and o.lift_id = lift
    where own.tenant_id = scope_tenant() and own.state <> 'withdrawn'
      and own.user_id = nullif(current_setting('app.user_id', true), '')::bigint
      and (of_version is null or o.content_version = of_version))
$$;
do $$
declare
  signature text;
begin
  grant create on schema public to liftwell_lookup;
  foreach signature in array array['scope_sponsors_learner(bigint)', 'scope_sponsors_lift(bigint, integer)'] loop
    execute format('alter function %s owner to liftwell_lookup', signature);
    execute format('revoke all on function %s from public', signature);
    execute format('grant execute on function %s to liftwell_app, liftwell_worker, liftwell_owner', signature);
  end loop;
  revoke create on schema public from liftwell_lookup;
end $$;

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
  created_on timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, member_id, prompt_id),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade,
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade,
  foreign key (tenant_id, prompt_id) references prompts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, response_id) references responses (tenant_id, id) on delete cascade,
  foreign key (tenant_id, acknowledged_by) references users (tenant_id, id) on delete set null (acknowledged_by)
);
select protect_through('commitments', 'journeys', 'journey_id');

-- What a sponsor writes to a learner: one a day.
create table encouragements (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  journey_id bigint not null,
  member_id bigint not null,
  sponsor_id bigint not null,
  said text not null check (length(said) between 1 and 300),
  said_on date not null,
  created_on timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, member_id, sponsor_id, said_on),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade,
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade,
  foreign key (tenant_id, sponsor_id) references members (tenant_id, id) on delete cascade
);
select protect_through('encouragements', 'journeys', 'journey_id');

do $$
declare
  opened record;
begin
  for opened in select * from (values
    ('lifts', 'journeys', 'journey_id', 'scope_has_turn(id) or scope_sponsors_lift(id, null)'),
    ('lift_versions', 'lifts', 'lift_id', 'scope_has_version(lift_id, version) or scope_sponsors_lift(lift_id, version)'),
    ('occurrences', 'journeys', 'journey_id', 'scope_is_own_member(member_id) or scope_sponsors_learner(member_id)'),
    ('responses', 'lifts', 'lift_id',
      'scope_is_own_member(member_id) or (visibility = ''sponsor'' and scope_sponsors_learner(member_id))'),
    -- Whoever reads the answer reads what became of it.
    ('commitments', 'journeys', 'journey_id',
      'exists (select from responses r where r.tenant_id = scope_tenant() and r.id = response_id)'),
    ('encouragements', 'journeys', 'journey_id', 'scope_is_own_member(member_id) or scope_is_own_member(sponsor_id)')
  ) as t (name, parent, parent_key, own)
  loop
    execute format('alter policy scope_select on %I using (tenant_id = scope_tenant() and case when scope_is_participant()
      then %s else scope_sub_tenant() is null or exists (select from %I parent
        where parent.tenant_id = scope_tenant() and parent.id = %I) end)',
      opened.name, opened.own, opened.parent, opened.parent_key);
  end loop;
end $$;

do $$
declare
  own constant text := 'tenant_id = scope_tenant() and case when scope_is_participant() then scope_is_own_member(member_id)
    else scope_sub_tenant() is null or exists (select from journeys parent
      where parent.tenant_id = scope_tenant() and parent.id = journey_id) end';
begin
  execute format('alter policy scope_insert on commitments with check (%s)', own);
  execute format('alter policy scope_update on commitments using (%s) with check (%s)', own, own);
end $$;
