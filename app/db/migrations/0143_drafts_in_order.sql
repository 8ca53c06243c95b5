-- The home page shows the drafts that were edited last; without this index all drafts of a company were sorted.
create index journeys_drafts on journeys (tenant_id, updated_on desc, id desc) where status = 'draft';
