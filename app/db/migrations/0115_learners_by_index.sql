-- A million learners are counted by the index alone.
drop index fact_learner_of_user;
create index fact_learner_of_user on fact_learner (tenant_id, user_id) include (journey_id, first_due_at);
