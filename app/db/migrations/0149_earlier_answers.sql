-- Reports of a past moment ask of each earlier answer whether another followed it: without an index of these, PostgreSQL read
-- all answers to the question for each of them.
create index responses_earlier on responses (tenant_id, member_id, prompt_id, submitted_at) where not is_current;
