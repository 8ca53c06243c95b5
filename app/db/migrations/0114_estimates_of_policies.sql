-- Of a setting that "is null" PostgreSQL expects one row in two hundred, and so sorts all of a tenant's for a page of
-- twenty. Of a case it expects every other one, and goes along the index of the order.
alter policy scope_select on audit_events using (tenant_id = scope_tenant()
  and case when scope_sub_tenant() is null then true else sub_tenant_id = scope_sub_tenant() end);
alter policy scope_select on user_general_roles using (tenant_id = scope_tenant()
  and case when scope_sub_tenant() is null then true else sub_tenant_id = scope_sub_tenant() end);
alter policy scope_select on user_imports using (tenant_id = scope_tenant()
  and case when scope_sub_tenant() is null then true else sub_tenant_id = scope_sub_tenant() end);
alter policy scope_select on user_groups using (tenant_id = scope_tenant()
  and case when scope_sub_tenant() is null then true else sub_tenant_id = scope_sub_tenant() end);
alter policy scope_select on exports using (tenant_id = scope_tenant()
  and case when scope_sub_tenant() is null then true else sub_tenant_id = scope_sub_tenant() end);
alter policy scope_select on api_keys using (tenant_id = scope_tenant()
  and case when scope_sub_tenant() is null then true else sub_tenant_id = scope_sub_tenant() end);

create index journeys_by_name on journeys (tenant_id, lower(name), id);
create index journeys_by_status on journeys (tenant_id, status, id);
create index journeys_by_category on journeys (tenant_id, lower(category), id);
