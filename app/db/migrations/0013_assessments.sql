-- What learners can do before and after a journey, as they, their sponsors and their peers see it.

create table assessments (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  journey_id bigint not null,
  name text not null check (length(name) between 1 and 120),
  phase text not null check (phase in ('pre', 'post', 'follow_up')),
  raters text[] not null default '{self}' check (raters <@ array['self', 'sponsor', 'peers'] and raters <> '{}'),
  opens jsonb not null,
  closes jsonb,
  -- What peers say is shown once this many have said it, and then in steps of as many.
  anonymous_min integer not null default 5 check (anonymous_min between 5 and 10),
  retired_on timestamptz,
  -- Its forms are to be made ready again: people came, went or moved, or it was changed.
  is_stale boolean not null default true,
  created_on timestamptz not null default scope_now(),
  updated_on timestamptz not null default scope_now(),
  lock_version integer not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade
);
create index assessments_of_journey on assessments (tenant_id, journey_id, id);
create index assessments_stale on assessments (tenant_id, id) where is_stale;
select protect_through('assessments', 'journeys', 'journey_id');
grant select on assessments to liftwell_lookup;
create policy lookup_reads on assessments for select to liftwell_lookup using (true);

create table assessment_items (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  assessment_id bigint not null,
  position integer not null,
  text text not null check (length(text) between 1 and 300),
  kind text not null check (kind in ('scale', 'choice', 'text')),
  objective_id bigint,
  weight numeric not null default 1 check (weight between 0 and 100),
  -- The words of a scale, from its lowest step to its highest.
  anchors text[] not null default '{}',
  options jsonb not null default '[]',
  -- Items with the same key are compared between assessments.
  pair_key text not null default '' check (length(pair_key) <= 40),
  primary key (tenant_id, id),
  foreign key (tenant_id, assessment_id) references assessments (tenant_id, id) on delete cascade,
  foreign key (tenant_id, objective_id) references learning_objectives (tenant_id, id) on delete set null (objective_id)
);
create index assessment_items_in_order on assessment_items (tenant_id, assessment_id, position, id);
create index assessment_items_of_objective on assessment_items (tenant_id, objective_id);
select protect_through('assessment_items', 'assessments', 'assessment_id');

-- What one member says of one learner: themselves, their sponsor, a peer.
create table assessment_forms (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  journey_id bigint not null,
  assessment_id bigint not null,
  subject_id bigint not null,
  rater text not null check (rater in ('self', 'sponsor', 'peers')),
  rater_id bigint not null,
  state text not null default 'not_open' check (state in ('not_open', 'open', 'in_progress', 'submitted', 'closed')),
  -- Closed because somebody left, not by its time: it opens again when they are back.
  is_left boolean not null default false,
  opens_at timestamptz,
  closes_at timestamptz,
  opened_at timestamptz,
  answers jsonb not null default '{}',
  score numeric check (score between 0 and 1),
  submitted_at timestamptz,
  revision integer not null default 1,
  reopened_reason text check (length(reopened_reason) <= 300),
  -- What was submitted before it was opened again.
  earlier jsonb not null default '[]',
  created_on timestamptz not null default scope_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade,
  foreign key (tenant_id, assessment_id) references assessments (tenant_id, id) on delete cascade,
  foreign key (tenant_id, subject_id) references members (tenant_id, id) on delete cascade,
  foreign key (tenant_id, rater_id) references members (tenant_id, id) on delete cascade
);
create unique index assessment_forms_once on assessment_forms (tenant_id, assessment_id, subject_id, rater) where rater <> 'peers';
create unique index assessment_forms_of_peers on assessment_forms (tenant_id, assessment_id, subject_id, rater_id) where rater = 'peers';
create index assessment_forms_of_subject on assessment_forms (tenant_id, subject_id);
create index assessment_forms_of_rater on assessment_forms (tenant_id, rater_id);
create index assessment_forms_to_open on assessment_forms (opens_at) where state = 'not_open';
create index assessment_forms_to_close on assessment_forms (closes_at) where state in ('not_open', 'open', 'in_progress');
select protect_through('assessment_forms', 'journeys', 'journey_id');
grant select on assessment_forms to liftwell_lookup;
create policy lookup_reads on assessment_forms for select to liftwell_lookup using (true);

create function assessments_to_look_after() returns table (tenant_id uuid, id bigint) language sql stable
  security definer set search_path = public, pg_temp as $$
  select a.tenant_id, a.id from assessments a join journeys j on j.tenant_id = a.tenant_id and j.id = a.journey_id
  where a.is_stale and j.status <> 'draft'
  union
  select f.tenant_id, f.assessment_id from assessment_forms f
    join assessments a on a.tenant_id = f.tenant_id and a.id = f.assessment_id
    join journeys j on j.tenant_id = f.tenant_id and j.id = f.journey_id
    join members m on m.tenant_id = f.tenant_id and m.id = f.rater_id
    join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
  where f.state = 'not_open' and f.opens_at <= latest_now() and f.opens_at <= tenant_now(f.tenant_id)
    and j.status in ('scheduled', 'active', 'completed')
    and u.activation_status <> 'disabled'
  union
  select f.tenant_id, f.assessment_id from assessment_forms f
  where f.state in ('not_open', 'open', 'in_progress') and f.closes_at <= latest_now()
    and f.closes_at <= tenant_now(f.tenant_id)
$$;

-- Functions that look past the policies belong to a role that can do nothing else; it may create only here.
grant create on schema public to liftwell_lookup;
alter function assessments_to_look_after() owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function
  assessments_to_look_after()
  from public;
grant execute on function
  assessments_to_look_after()
  to liftwell_worker;
