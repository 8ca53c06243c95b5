-- Until when somebody asks for fresh tokens says not who: another may be the next to ask until that very moment.
alter table sessions add column refreshing_by uuid;
