-- The import that a dry run became, so that whoever asks for it again is led there.
alter table user_imports
  add column imported_as uuid,
  add foreign key (tenant_id, imported_as) references user_imports (tenant_id, id) on delete set null (imported_as);
create index user_imports_imported_as on user_imports (tenant_id, imported_as);
