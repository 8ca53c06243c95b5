-- Inside a sub-tenant it is asked of person after person. The product's sessions plan each statement anew, and with it
-- what stands in a function: of twenty thousand people that took nine seconds of ten.
alter function scope_shows_user(bigint) set plan_cache_mode = force_generic_plan;
