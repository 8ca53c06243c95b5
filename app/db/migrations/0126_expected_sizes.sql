-- As how large PostgreSQL takes a tenant: the digits of how many rows it expects of each table that everybody's pages read.
-- Three at least, for what is that small is soon read by any index. It reads no rows.
create function expected_sizes(tenant text) returns text language plpgsql set search_path = public, pg_temp as $$
declare
  name text;
  plan json;
  sizes text := '';
begin
  perform set_config('app.tenant_id', tenant, true);
  foreach name in array array['users', 'members', 'occurrences', 'notifications', 'commitments', 'assessment_forms'] loop
    execute format('explain (format json) select from %I', name) into plan;
    sizes := sizes || greatest(length(plan -> 0 -> 'Plan' ->> 'Plan Rows'), 3);
  end loop;
  return sizes;
end $$;
