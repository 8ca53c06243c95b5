-- One process at a time asks the provider for fresh tokens of a session, and holds no connection while it does.
alter table sessions add column refreshing_until timestamptz;
