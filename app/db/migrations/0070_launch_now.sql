alter table journeys add column launched_now boolean not null default false;
comment on column journeys.launched_now is 'What goes out with the launch left at once, not at the usual time.';
