-- Messages that did not get through are few; whoever asks for their reasons looks through no others.
create index fact_occurrence_ended on fact_occurrence (tenant_id, due_at)
  where is_counted and delivery not in ('accepted', 'pending');
