-- The secret of an authenticator app was kept with the answers for repeated requests; such answers are kept no more.
alter table idempotency_keys no force row level security;
delete from idempotency_keys where body like '{"secret":%' or body like '%"uri":"otpauth:%';
alter table idempotency_keys force row level security;
