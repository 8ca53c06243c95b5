-- An answer keeps who may read it: what its question promised when it was given, or fewer if that is narrowed later.

create function narrower_visibility(one text, other text) returns text language sql immutable strict parallel safe as $$
  select (array['learner_only', 'aggregate_only', 'admins', 'sponsor'])[least(
    array_position(array['learner_only', 'aggregate_only', 'admins', 'sponsor'], one),
    array_position(array['learner_only', 'aggregate_only', 'admins', 'sponsor'], other))]
$$;

-- Learners cannot read questions as authors see them, with what is right; who reads the answers is no secret.
create function prompt_visibility(prompt bigint) returns text language sql stable
  security definer set search_path = public, pg_temp as $$
  select visibility from prompts where tenant_id = scope_tenant() and id = prompt
$$;
create function keep_promise() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  new.visibility := narrower_visibility(new.visibility,
    (select visibility from prompts where tenant_id = new.tenant_id and id = new.prompt_id));
  return new;
end $$;
grant select on prompts to liftwell_lookup;
create policy lookup_reads on prompts for select to liftwell_lookup using (true);
grant create on schema public to liftwell_lookup;
alter function prompt_visibility(bigint) owner to liftwell_lookup;
alter function keep_promise() owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function prompt_visibility(bigint), keep_promise() from public;
grant execute on function prompt_visibility(bigint) to liftwell_app, liftwell_worker, liftwell_owner;

-- The widest, which the trigger below narrows to what the question says.
alter table responses add visibility text not null default 'sponsor'
  check (visibility in ('learner_only', 'aggregate_only', 'admins', 'sponsor'));
alter table responses no force row level security;
alter table prompts no force row level security;
update responses r set visibility = p.visibility from prompts p where p.tenant_id = r.tenant_id and p.id = r.prompt_id;
alter table responses force row level security;
alter table prompts force row level security;

create trigger keep_promise before insert on responses for each row execute function keep_promise();

create function narrow_promises() returns trigger language plpgsql as $$
begin
  update responses set visibility = narrower_visibility(visibility, new.visibility)
    where tenant_id = new.tenant_id and lift_id = new.lift_id and prompt_id = new.id;
  return null;
end $$;
create trigger narrow_promises after update of visibility on prompts
  for each row when (old.visibility is distinct from new.visibility) execute function narrow_promises();

-- The answers of a lift as they are listed: the newest first.
create index responses_by_date on responses (tenant_id, lift_id, submitted_at desc, id desc) where is_current;
