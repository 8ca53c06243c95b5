-- Journeys, their lifts, who takes part, and what is sent to whom. docs: DOMAIN in the design.

create table journeys (
  tenant_id uuid not null references tenants (id),
  id bigint not null generated always as identity,
  sub_tenant_id uuid,
  name text not null check (length(name) between 1 and 120),
  description text not null default '' check (length(description) <= 2000),
  category text check (length(category) <= 80),
  author_id bigint not null,
  status text not null default 'draft' check (status in ('draft', 'scheduled', 'active', 'paused', 'completed', 'archived')),
  start_on date,
  timezone_mode text not null default 'recipient' check (timezone_mode in ('recipient', 'journey')),
  timezone text not null default 'UTC',
  default_send_time time not null default '09:00',
  send_days text[] not null default '{Mon,Tue,Wed,Thu,Fri,Sat,Sun}',
  channels text[] not null default '{sms,email}',
  reminder_policy jsonb not null default '[]',
  late_joiners text not null default 'skip' check (late_joiners in ('skip', 'one_a_day', 'todo_only')),
  content_version integer not null default 1,
  source_journey_id bigint,
  launched_at timestamptz,
  created_on timestamptz not null default now(),
  updated_on timestamptz not null default now(),
  lock_version integer not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, sub_tenant_id) references sub_tenants (tenant_id, id),
  foreign key (tenant_id, author_id) references users (tenant_id, id),
  foreign key (tenant_id, source_journey_id) references journeys (tenant_id, id) on delete set null (source_journey_id)
);
create index journeys_by_date on journeys (tenant_id, created_on desc, id desc);
create index journeys_by_author on journeys (tenant_id, author_id);
create index journeys_name_trgm on journeys using gin (name gin_trgm_ops);
select protect('journeys', true);

create table learning_objectives (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  journey_id bigint not null,
  code text not null check (length(code) between 1 and 20),
  text text not null check (length(text) between 1 and 300),
  target_level numeric check (target_level between 0 and 1),
  position integer not null,
  retired_on timestamptz,
  created_on timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, journey_id, code),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade
);
select protect_through('learning_objectives', 'journeys', 'journey_id');

create table lifts (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  journey_id bigint not null,
  position integer not null,
  title text not null check (length(title) between 1 and 80),
  sms_text text not null default '' check (length(sms_text) <= 600),
  email_subject text not null default '' check (length(email_subject) <= 200),
  blocks jsonb not null default '[]',
  required boolean not null default true,
  completion_rule text not null default 'all_required_prompts' check (completion_rule in ('all_required_prompts', 'viewed_and_confirmed')),
  schedule jsonb not null default '{"kind":"manual"}',
  closes_after_hours integer check (closes_after_hours between 1 and 8760),
  est_minutes integer not null default 3 check (est_minutes between 1 and 120),
  version integer not null default 1,
  status text not null default 'draft' check (status in ('draft', 'ready', 'retired')),
  created_on timestamptz not null default now(),
  updated_on timestamptz not null default now(),
  lock_version integer not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade
);
create unique index lifts_in_order on lifts (tenant_id, journey_id, position);
select protect_through('lifts', 'journeys', 'journey_id');

create table prompts (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  lift_id bigint not null,
  position integer not null,
  kind text not null check (kind in ('single_choice', 'multiple_choice', 'true_false', 'scale', 'short_text', 'long_text', 'number', 'ranking', 'commitment', 'confidence')),
  text text not null check (length(text) between 1 and 300),
  help text not null default '' check (length(help) <= 500),
  options jsonb not null default '[]',
  scoring text not null default 'none' check (scoring in ('none', 'auto', 'sponsor', 'author')),
  max_score numeric not null default 1 check (max_score > 0),
  required boolean not null default true,
  visibility text not null default 'admins' check (visibility in ('learner_only', 'sponsor', 'admins', 'aggregate_only')),
  version integer not null default 1,
  retired_on timestamptz,
  created_on timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, lift_id) references lifts (tenant_id, id) on delete cascade
);
create index prompts_in_order on prompts (tenant_id, lift_id, position, id);
select protect_through('prompts', 'lifts', 'lift_id');

create table lift_objectives (
  tenant_id uuid not null,
  lift_id bigint not null,
  objective_id bigint not null,
  primary key (tenant_id, lift_id, objective_id),
  foreign key (tenant_id, lift_id) references lifts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, objective_id) references learning_objectives (tenant_id, id) on delete cascade
);
select protect_through('lift_objectives', 'lifts', 'lift_id');

create table prompt_objectives (
  tenant_id uuid not null,
  prompt_id bigint not null,
  objective_id bigint not null,
  primary key (tenant_id, prompt_id, objective_id),
  foreign key (tenant_id, prompt_id) references prompts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, objective_id) references learning_objectives (tenant_id, id) on delete cascade
);
select protect_through('prompt_objectives', 'prompts', 'prompt_id');

-- What a lift said when it was sent: an occurrence keeps the version it was sent with.
create table lift_versions (
  tenant_id uuid not null,
  lift_id bigint not null,
  version integer not null,
  content jsonb not null,
  created_on timestamptz not null default now(),
  primary key (tenant_id, lift_id, version),
  foreign key (tenant_id, lift_id) references lifts (tenant_id, id) on delete cascade
);
select protect_through('lift_versions', 'lifts', 'lift_id');

create table members (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  journey_id bigint not null,
  user_id bigint not null,
  role text not null check (role in ('learner', 'sponsor', 'facilitator')),
  exclude_data boolean not null default false,
  sponsor_id bigint,
  state text not null default 'invited' check (state in ('invited', 'active', 'completed', 'paused', 'withdrawn')),
  joined_at timestamptz not null default now(),
  left_at timestamptz,
  source text not null default 'manual' check (source in ('manual', 'csv', 'group', 'link')),
  primary key (tenant_id, id),
  unique (tenant_id, journey_id, user_id, role),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id),
  foreign key (tenant_id, sponsor_id) references members (tenant_id, id),
  check (sponsor_id is null or sponsor_id <> id)
);
create index members_of_user on members (tenant_id, user_id);
select protect_through('members', 'journeys', 'journey_id');

-- A journey of the whole tenant is there for its members also inside a sub-tenant.
create function scope_is_member(journey bigint) returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select exists (select from members m where m.tenant_id = scope_tenant() and m.journey_id = journey
    and m.user_id = nullif(current_setting('app.user_id', true), '')::bigint and m.state <> 'withdrawn')
$$;
grant select on members to liftwell_lookup;
create policy lookup_reads on members for select to liftwell_lookup using (true);
grant create on schema public to liftwell_lookup;
alter function scope_is_member(bigint) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function scope_is_member(bigint) from public;
grant execute on function scope_is_member(bigint) to liftwell_app, liftwell_worker, liftwell_owner;
drop policy scope_select on journeys;
create policy scope_select on journeys for select using (tenant_id = scope_tenant()
  and (scope_sub_tenant() is null or sub_tenant_id = scope_sub_tenant() or scope_is_member(id)));

create table occurrences (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  journey_id bigint not null,
  lift_id bigint not null,
  member_id bigint not null,
  planned_local timestamp,
  zone text not null,
  due_at timestamptz,
  state text not null default 'planned' check (state in ('planned', 'held', 'due', 'sent', 'opened', 'responded', 'completed', 'cancelled', 'expired', 'suppressed')),
  content_version integer not null,
  opened_at timestamptz,
  first_response_at timestamptz,
  completed_at timestamptz,
  closes_at timestamptz,
  created_on timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, lift_id, member_id),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade,
  foreign key (tenant_id, lift_id) references lifts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade
);
create index occurrences_of_member on occurrences (tenant_id, member_id, due_at);
create index occurrences_of_journey on occurrences (tenant_id, journey_id, lift_id);
select protect_through('occurrences', 'journeys', 'journey_id');

-- The send table: planned -> claimed (lease) -> sending -> accepted -> delivered. `sending` is
-- committed before the carrier is called; a crash there becomes `unknown` and is never blindly repeated.
create table dispatches (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  occurrence_id bigint not null,
  kind text not null check (kind in ('lift', 'reminder', 'resend', 'test')),
  seq integer not null default 1,
  channel text not null check (channel in ('sms', 'email', 'in_app')),
  state text not null default 'planned' check (state in ('planned', 'claimed', 'sending', 'accepted', 'delivered', 'failed', 'undelivered', 'unknown', 'suppressed', 'expired')),
  due_at timestamptz not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  lease_owner text,
  lease_until timestamptz,
  address text,
  provider_id text,
  error_code text,
  segments integer,
  sent_at timestamptz,
  accepted_at timestamptz,
  delivered_at timestamptz,
  created_on timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, occurrence_id, kind, seq, channel),
  foreign key (tenant_id, occurrence_id) references occurrences (tenant_id, id) on delete cascade
);
create index dispatches_due on dispatches (next_attempt_at, tenant_id, id) where state in ('planned', 'claimed', 'sending', 'unknown');
select protect_through('dispatches', 'occurrences', 'occurrence_id');
-- The worker claims for every tenant at once; all it does with a claim happens inside that tenant's scope.
create policy worker_claims on dispatches for select to liftwell_worker using (scope_tenant() is null);
create policy worker_leases on dispatches for update to liftwell_worker using (scope_tenant() is null) with check (scope_tenant() is null);

create table responses (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  member_id bigint not null,
  lift_id bigint not null,
  prompt_id bigint not null,
  prompt_version integer not null,
  value jsonb not null,
  score numeric check (score between 0 and 1),
  channel text not null default 'web' check (channel in ('web', 'sms')),
  is_current boolean not null default true,
  submitted_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade,
  foreign key (tenant_id, lift_id) references lifts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, prompt_id) references prompts (tenant_id, id) on delete cascade
);
create unique index responses_current on responses (tenant_id, member_id, prompt_id) where is_current;
create index responses_of_lift on responses (tenant_id, lift_id, prompt_id);
select protect_through('responses', 'lifts', 'lift_id');

-- What a person said about messages to a number; the state of a number is the fold over its events.
create table consent_events (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  number text not null,
  user_id bigint,
  action text not null check (action in ('opt_in', 'opt_out', 'import', 'invalid', 'reassigned')),
  source text not null,
  wording_id text,
  at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create index consent_events_of_number on consent_events (tenant_id, number, at desc, id desc);
select protect('consent_events');
revoke update, delete on consent_events from liftwell_app, liftwell_worker;

-- One row per occurrence, kept in the transaction that changes it; analytics read only this.
create table fact_occurrence (
  tenant_id uuid not null,
  occurrence_id bigint not null,
  sub_tenant_id uuid,
  journey_id bigint not null,
  lift_id bigint not null,
  member_id bigint not null,
  user_id bigint not null,
  exclude_data boolean not null,
  left_at timestamptz,
  required boolean not null,
  state text not null,
  -- How the message fared: each assigned occurrence is in exactly one of these.
  delivery text not null check (delivery in ('accepted', 'suppressed', 'failed', 'expired', 'pending')),
  due_at timestamptz,
  attempted_at timestamptz,
  accepted_at timestamptz,
  delivered_at timestamptz,
  opened_at timestamptz,
  responded_at timestamptz,
  completed_at timestamptz,
  closes_at timestamptz,
  primary key (tenant_id, occurrence_id),
  foreign key (tenant_id, occurrence_id) references occurrences (tenant_id, id) on delete cascade
);
create index fact_occurrence_of_journey on fact_occurrence (tenant_id, journey_id, due_at);
create index fact_occurrence_of_member on fact_occurrence (tenant_id, member_id);
select protect_through('fact_occurrence', 'journeys', 'journey_id');

-- Where messages go when no carrier is configured; the Testing area shows it.
create table outbox_messages (
  tenant_id uuid not null references tenants (id),
  id bigint not null generated always as identity,
  channel text not null check (channel in ('sms', 'email')),
  recipient text not null,
  subject text,
  body text not null,
  -- The sender's own key: the same key is the same message, however often it is handed over.
  key text not null,
  created_on timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, key)
);
create index outbox_messages_by_date on outbox_messages (tenant_id, created_on desc, id desc);
select protect('outbox_messages');
