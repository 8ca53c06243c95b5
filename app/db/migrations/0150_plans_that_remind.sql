-- Reminders that a person sends to very many are planned by a job, as a lift that is sent to them.
alter table journey_plans drop constraint journey_plans_kind_check,
  add constraint journey_plans_kind_check check (kind in
    ('launch', 'late', 'edit', 'move', 'pause', 'resume', 'complete', 'archive', 'send', 'remind'));
