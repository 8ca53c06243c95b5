-- Outside a sub-tenant everybody of the tenant is shown. Said in the policy itself it costs nothing; in a function
-- it is a call for each of the tenant's people, which makes a list of 50,000 slow.
alter policy scope_select on users
  using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or scope_shows_user(id)));
alter policy scope_update on users
  using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or scope_shows_user(id)));
alter policy scope_delete on users
  using (tenant_id = scope_tenant() and (scope_sub_tenant() is null or scope_shows_user(id)));
