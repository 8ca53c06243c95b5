-- Who had a message when it left: only there can be asked what became of it. Null where nothing left the building.
alter table dispatches add column carrier text;
