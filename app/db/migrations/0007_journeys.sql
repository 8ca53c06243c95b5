-- Journeys and what they consist of: objectives, lifts, prompts and files. docs: DOMAIN in the design.

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
  created_on timestamptz not null default scope_now(),
  updated_on timestamptz not null default scope_now(),
  lock_version integer not null default 0,
  paused_at timestamptz,
  -- How many lifts and learners a journey has, kept: lists and schedules show them, and counting grows with the journey.
  lift_count integer not null default 0,
  learner_count integer not null default 0,
  start_set_on timestamptz not null default scope_now(),
  -- Counts the orders of a journey's lifts, apart from the rest of the journey.
  order_version integer not null default 0,
  launched_now boolean not null default false,
  -- A journey that is over takes answers for a while; one that is archived takes none, and its figures stand still.
  grace_days integer not null default 7 check (grace_days between 0 and 90),
  answers_until timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, sub_tenant_id) references sub_tenants (tenant_id, id),
  foreign key (tenant_id, author_id) references users (tenant_id, id),
  foreign key (tenant_id, source_journey_id) references journeys (tenant_id, id) on delete set null (source_journey_id)
);
create index journeys_by_date on journeys (tenant_id, created_on desc, id desc);
create index journeys_by_author on journeys (tenant_id, author_id);
create index journeys_by_name on journeys (tenant_id, lower(name), id);
create index journeys_by_status on journeys (tenant_id, status, id);
create index journeys_by_category on journeys (tenant_id, lower(category), id);
create index journeys_search on journeys using gin (tenant_id, search_text(name) gin_trgm_ops);
select protect('journeys', true);
grant select on journeys to liftwell_lookup;
create policy lookup_reads on journeys for select to liftwell_lookup using (true);
comment on column journeys.launched_now is 'What goes out with the launch left at once, not at the usual time.';
comment on column journeys.grace_days is 'How long its lifts take answers after it was completed.';
comment on column journeys.answers_until is 'Null while it is not over.';

-- Names stand in the order of their letters, as in 0002_tenancy.sql.
do $$ begin
  if exists (select from pg_collation where collname = 'und-x-icu') then
    alter table journeys alter column name type text collate "und-x-icu";
  end if;
end $$;

create function mark_assessments_of_journey() returns trigger language plpgsql as $$
begin
  update assessments set is_stale = true where tenant_id = new.tenant_id and journey_id = new.id and not is_stale;
  return null;
end $$;
create trigger mark_assessments after update of status, launched_at, start_on, timezone_mode, timezone,
    default_send_time, send_days on journeys for each row
  when ((old.status, old.launched_at, old.start_on, old.timezone_mode, old.timezone, old.default_send_time, old.send_days)
    is distinct from
    (new.status, new.launched_at, new.start_on, new.timezone_mode, new.timezone, new.default_send_time, new.send_days))
  execute function mark_assessments_of_journey();

create function add_to_counts(of_tenant uuid, of_journey bigint, lifts bigint, learners bigint) returns void
  language sql as $$
  update journeys set lift_count = lift_count + lifts::int, learner_count = learner_count + learners::int
  where tenant_id = of_tenant and id = of_journey
$$;

create table learning_objectives (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  journey_id bigint not null,
  code text not null check (length(code) between 1 and 20),
  text text not null check (length(text) between 1 and 300),
  target_level numeric check (target_level between 0 and 1),
  position integer not null,
  retired_on timestamptz,
  created_on timestamptz not null default scope_now(),
  -- Of two who save at once the second is told: each says which state was edited.
  lock_version integer not null default 0,
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
  created_on timestamptz not null default scope_now(),
  updated_on timestamptz not null default scope_now(),
  lock_version integer not null default 0,
  -- A date that its author names after a pause means that date.
  scheduled_on timestamptz not null default scope_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, journey_id) references journeys (tenant_id, id) on delete cascade
);
create unique index lifts_in_order on lifts (tenant_id, journey_id, position);
create index lifts_search on lifts using gin (tenant_id, search_text(title) gin_trgm_ops);
select protect_through('lifts', 'journeys', 'journey_id');
grant select on lifts to liftwell_lookup;
create policy lookup_reads on lifts for select to liftwell_lookup using (true);

create function count_lifts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_to_counts(tenant_id, journey_id, count(*), 0) from new_lifts
    where status <> 'retired' group by tenant_id, journey_id order by journey_id;
  elsif tg_op = 'DELETE' then
    perform add_to_counts(tenant_id, journey_id, -count(*), 0) from old_lifts
    where status <> 'retired' group by tenant_id, journey_id order by journey_id;
  else
    perform add_to_counts(tenant_id, journey_id, sum(n), 0) from (
      select tenant_id, journey_id, 1 as n from new_lifts where status <> 'retired'
      union all
      select tenant_id, journey_id, -1 from old_lifts where status <> 'retired') changed
    group by tenant_id, journey_id having sum(n) <> 0 order by journey_id;
  end if;
  return null;
end $$;
create trigger count_inserted after insert on lifts
  referencing new table as new_lifts for each statement execute function count_lifts();
create trigger count_updated after update on lifts
  referencing old table as old_lifts new table as new_lifts for each statement execute function count_lifts();
create trigger count_deleted after delete on lifts
  referencing old table as old_lifts for each statement execute function count_lifts();

create function note_files_of_lift() returns trigger language plpgsql as $$
begin
  perform note_file_uses(new.tenant_id, new.id, 0, new.blocks);
  return null;
end $$;
create trigger note_files after insert on lifts
  for each row when (new.blocks <> '[]') execute function note_files_of_lift();
create trigger note_changed_files after update of blocks on lifts
  for each row when (new.blocks is distinct from old.blocks) execute function note_files_of_lift();

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
  created_on timestamptz not null default scope_now(),
  -- What is right where the answer is a number: the value, how far off it may be, and what is said to both.
  target jsonb,
  primary key (tenant_id, id),
  foreign key (tenant_id, lift_id) references lifts (tenant_id, id) on delete cascade
);
create index prompts_in_order on prompts (tenant_id, lift_id, position, id);
create index prompts_search on prompts using gin (tenant_id, search_text(text) gin_trgm_ops);
select protect_through('prompts', 'lifts', 'lift_id');
grant select on prompts to liftwell_lookup;
create policy lookup_reads on prompts for select to liftwell_lookup using (true);

create function narrower_visibility(one text, other text) returns text language sql immutable strict parallel safe as $$
  select (array['learner_only', 'aggregate_only', 'admins', 'sponsor'])[least(
    array_position(array['learner_only', 'aggregate_only', 'admins', 'sponsor'], one),
    array_position(array['learner_only', 'aggregate_only', 'admins', 'sponsor'], other))]
$$;

-- An answer keeps who may read it, or fewer if its question narrows that.
create function narrow_promises() returns trigger language plpgsql as $$
begin
  update responses set visibility = narrower_visibility(visibility, new.visibility)
    where tenant_id = new.tenant_id and lift_id = new.lift_id and prompt_id = new.id;
  return null;
end $$;
create trigger narrow_promises after update of visibility on prompts
  for each row when (old.visibility is distinct from new.visibility) execute function narrow_promises();

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
  created_on timestamptz not null default scope_now(),
  primary key (tenant_id, lift_id, version),
  foreign key (tenant_id, lift_id) references lifts (tenant_id, id) on delete cascade
);
select protect_through('lift_versions', 'lifts', 'lift_id');

create function note_files_of_version() returns trigger language plpgsql as $$
begin
  perform note_file_uses(new.tenant_id, new.lift_id, new.version, new.content -> 'blocks');
  return null;
end $$;
create trigger note_files after insert on lift_versions
  for each row execute function note_files_of_version();

create table files (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  sub_tenant_id uuid,
  kind text not null check (kind in ('logo', 'image', 'media', 'file')),
  content_type text not null,
  file_name text not null,
  size integer not null,
  sha256 bytea not null,
  bytes bytea not null,
  created_on timestamptz not null default now(),
  is_elsewhere boolean not null default false,
  -- Which lift shows which file: who reads the lift may have the file, and what no lift shows is removed after a while.
  created_by bigint,
  primary key (tenant_id, id)
);
alter table files alter column bytes set storage external;
select protect('files');
grant select on files to liftwell_lookup;
create policy lookup_reads on files for select to liftwell_lookup using (true);

create table file_uses (
  tenant_id uuid not null,
  file_id uuid not null,
  lift_id bigint not null,
  -- A version that was sent or may be; 0 is the lift as it is written now.
  version integer not null,
  primary key (tenant_id, file_id, lift_id, version),
  foreign key (tenant_id, file_id) references files (tenant_id, id) on delete cascade,
  foreign key (tenant_id, lift_id) references lifts (tenant_id, id) on delete cascade
);
create index file_uses_of_lift on file_uses (tenant_id, lift_id, version);
select protect_through('file_uses', 'lifts', 'lift_id');
grant select on file_uses to liftwell_lookup;
create policy lookup_reads on file_uses for select to liftwell_lookup using (true);

-- Captions are files of a page as well as what they belong to.
create function note_file_uses(of_tenant uuid, of_lift bigint, of_version integer, blocks jsonb) returns void
  language sql as $$
  delete from file_uses where tenant_id = of_tenant and lift_id = of_lift and version = of_version;
  insert into file_uses (tenant_id, file_id, lift_id, version)
  select distinct f.tenant_id, f.id, of_lift, of_version
  from (
    select jsonb_path_query(blocks, '$[*].src') union all select jsonb_path_query(blocks, '$[*].captions')
  ) as named (src)
    join files f on f.tenant_id = of_tenant
      and f.id = substring(src #>> '{}' from '^/files/' || of_tenant || '/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$')::uuid;
$$;

create function unused_files() returns table (tenant_id uuid, id uuid) language sql stable
  security definer set search_path = public, pg_temp as $$
  select f.tenant_id, f.id from files f
  where f.kind <> 'logo' and f.created_on < now() - interval '1 day'
    and not exists (select from file_uses u where u.tenant_id = f.tenant_id and u.file_id = f.id)
  order by f.created_on limit 1000
$$;

-- Functions that look past the policies belong to a role that can do nothing else; it may create only here.
grant create on schema public to liftwell_lookup;
alter function unused_files() owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function
  unused_files()
  from public;
grant execute on function
  unused_files()
  to liftwell_worker;
