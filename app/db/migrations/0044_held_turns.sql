-- Turns that wait for a person are few: the timeline counts them for each lift, whatever the number of learners.
create index occurrences_held on occurrences (tenant_id, lift_id) where state = 'held';
