-- Which file a lift shows is written with the lift: by those whose journey it is, as the lift itself.
do $$
declare
  rule text := 'tenant_id = scope_tenant() and (scope_sub_tenant() is null or scope_has_lift(lift_id))';
begin
  execute format('alter policy scope_insert on file_uses with check (%s)', rule);
  execute format('alter policy scope_update on file_uses using (%s) with check (%s)', rule, rule);
  execute format('alter policy scope_delete on file_uses using (%s)', rule);
end $$;
