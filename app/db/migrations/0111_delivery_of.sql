-- Sponsors, who see neither messages nor facts, are told what became of the message of a lift that they see.
create function delivery_of(occurrence bigint) returns text language sql stable
  security definer set search_path = public, pg_temp as $$
  select delivery from fact_occurrence where tenant_id = scope_tenant() and occurrence_id = occurrence
$$;
grant select on fact_occurrence to liftwell_lookup;
create policy lookup_reads on fact_occurrence for select to liftwell_lookup using (true);
grant create on schema public to liftwell_lookup;
alter function delivery_of(bigint) owner to liftwell_lookup;
revoke create on schema public from liftwell_lookup;
revoke all on function delivery_of(bigint) from public;
grant execute on function delivery_of(bigint) to liftwell_app, liftwell_worker, liftwell_owner;
