-- Where in the company a person works.
alter table users add column department text check (length(department) <= 120);
grant insert (department), update (department) on users to liftwell_app, liftwell_worker;
create index users_by_department on users (tenant_id, department) where department is not null;
