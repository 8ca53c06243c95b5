-- All that concerns every turn of a journey is done some people at a time: pauses and their end, and the journey's end.
-- The plans of one journey are carried out in their order.

alter table journey_plans
  drop constraint journey_plans_kind_check,
  add constraint journey_plans_kind_check
    check (kind in ('launch', 'late', 'edit', 'move', 'pause', 'resume', 'complete', 'archive')),
  -- Where there is nothing past to decide about, none.
  alter column past drop not null,
  -- Of a pause that ends: what becomes of what it held, and when it began.
  add column mode text check (mode in ('shift', 'skip')),
  add column since timestamptz,
  add constraint journey_plans_resume_check check ((kind = 'resume') = (mode is not null and since is not null));
comment on column journey_plans.lift_ids is 'Empty: all of the journey.';

-- A person's own word is no part of the one lift a day.
alter table occurrences add column by_hand boolean not null default false;
