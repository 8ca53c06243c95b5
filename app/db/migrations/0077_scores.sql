-- What a person gives an answer: a share of the question's points, and a word about it. What scores itself was
-- scored by nobody at no time.
alter table responses
  add score_comment text not null default '' check (length(score_comment) <= 1000),
  add scored_by bigint,
  add scored_at timestamptz,
  add score_version integer not null default 0,
  add foreign key (tenant_id, scored_by) references users (tenant_id, id) on delete set null (scored_by);
create index responses_scored_by on responses (tenant_id, scored_by) where scored_by is not null;

-- Participants cannot read questions as authors see them; who scores an answer, and of how much, is no secret.
create function prompt_scoring(prompt bigint) returns table (scoring text, max_score numeric) language sql stable
  security definer set search_path = public, pg_temp as $$
  select scoring, max_score from prompts where tenant_id = scope_tenant() and id = prompt and retired_on is null
$$;
grant create on schema public to liftwell_lookup;
alter function prompt_scoring(bigint) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function prompt_scoring(bigint) from public;
grant execute on function prompt_scoring(bigint) to liftwell_app, liftwell_worker, liftwell_owner;
