-- A journey is of one tenant. Without that PostgreSQL expects a tenth of the participants where a tenth are the tenant's,
-- and sorts all of a large journey where it could read the newest 10,000 along an index.
create statistics members_of_journeys (dependencies) on tenant_id, journey_id from members;
analyze members;
