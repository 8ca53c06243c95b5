-- The list of people by their status, among a million as among a thousand.
create index users_by_status on users (tenant_id, activation_status, id);
