-- Authors' pictures, recordings and documents: part of one is read without the rest, so their bytes are kept
-- as they are. Where a folder is configured they stand there, and none here.

alter table files
  alter column bytes set storage external,
  add column is_elsewhere boolean not null default false;
