-- A lift that a person sends now to many is planned in steps, as a launch is.
alter table journey_plans drop constraint journey_plans_kind_check;
alter table journey_plans add constraint journey_plans_kind_check
  check (kind in ('launch', 'late', 'edit', 'move', 'pause', 'resume', 'complete', 'archive', 'send'));
