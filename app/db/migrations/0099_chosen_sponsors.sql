-- A sponsor who was only chosen for a learner, and was never added: without learners they take part no longer.
alter table members drop constraint members_source_check;
alter table members add constraint members_source_check
  check (source in ('manual', 'csv', 'group', 'link', 'choice'));
