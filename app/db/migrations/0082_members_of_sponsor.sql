-- A sponsor's learners, and whether somebody is removed who sponsors any, without a look at everybody of the tenant.
create index members_of_sponsor on members (tenant_id, sponsor_id) where sponsor_id is not null;
