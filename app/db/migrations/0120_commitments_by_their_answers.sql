-- Whether one sees the answer behind a commitment is looked up for each. `exists` let a plan that was kept read all
-- answers of the company first.
do $$
declare
  of_answer text;
begin
  foreach of_answer in array array['commitments', 'commitment_events'] loop
    execute format('alter policy scope_select on %I using (tenant_id = scope_tenant() and case when scope_is_participant()
      then (select true from responses r where r.tenant_id = scope_tenant() and r.id = response_id) is true
      else scope_sub_tenant() is null or exists (select from journeys parent
        where parent.tenant_id = scope_tenant() and parent.id = journey_id) end)', of_answer);
  end loop;
end $$;
