-- Who learns in a journey of another part reads what was written for it there, and writes none of it.

-- Inside a sub-tenant: whether the journey is the sub-tenant's own, and not only shown there.
create function scope_has_journey(journey bigint) returns boolean language sql stable
  as $$ select exists (select from journeys j where j.tenant_id = scope_tenant() and j.id = journey
    and j.sub_tenant_id = scope_sub_tenant()) $$;
create function scope_has_lift(lift bigint) returns boolean language sql stable
  as $$ select exists (select from lifts l where l.tenant_id = scope_tenant() and l.id = lift
    and scope_has_journey(l.journey_id)) $$;
create function scope_has_prompt(prompt bigint) returns boolean language sql stable
  as $$ select exists (select from prompts p where p.tenant_id = scope_tenant() and p.id = prompt
    and scope_has_lift(p.lift_id)) $$;

do $$
declare
  written record;
  rule text;
begin
  for written in select * from (values
    ('learning_objectives', 'scope_has_journey(journey_id)'), ('lifts', 'scope_has_journey(journey_id)'),
    ('lift_versions', 'scope_has_lift(lift_id)'), ('prompts', 'scope_has_lift(lift_id)'),
    ('lift_objectives', 'scope_has_lift(lift_id)'), ('prompt_objectives', 'scope_has_prompt(prompt_id)')
  ) as t (name, is_own)
  loop
    rule := format('tenant_id = scope_tenant() and (scope_sub_tenant() is null or %s)', written.is_own);
    execute format('alter policy scope_insert on %I with check (%s)', written.name, rule);
    execute format('alter policy scope_update on %I using (%s) with check (%s)', written.name, rule, rule);
    execute format('alter policy scope_delete on %I using (%s)', written.name, rule);
  end loop;
end $$;
