-- A command or job that locks somebody out ends their sessions, and with them the access tokens.
grant insert on ended_tokens to liftwell_worker;
