-- Who is behind was reached by what waits: that is told by the index, too, without a look at the facts themselves.
drop index fact_occurrence_open;
create index fact_occurrence_open on fact_occurrence (tenant_id, member_id, due_at) include (journey_id, closes_at, state, left_at)
  where is_counted and required and completed_at is null and state <> 'expired';
