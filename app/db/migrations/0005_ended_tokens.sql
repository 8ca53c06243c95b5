-- Access tokens of sessions that ended before the token did, by hash. Global: a token is checked before
-- anyone is known. A row is worth keeping only until the token would have expired by itself.
create table ended_tokens (
  token_hash bytea primary key,
  expires_at timestamptz not null
);
create index ended_tokens_expired on ended_tokens (expires_at);
grant select, insert, delete on ended_tokens to liftwell_app;
