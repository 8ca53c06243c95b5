-- Messages of which nobody knows whether they arrived: since when, what is sent in their place, and how many.

alter table dispatches
  add column unknown_since timestamptz,
  -- The first message of the chain that this one repeats.
  add column resend_of bigint,
  add foreign key (tenant_id, resend_of) references dispatches (tenant_id, id);
create index dispatches_unknown on dispatches (tenant_id, unknown_since, id) where state = 'unknown';
create index dispatches_resend on dispatches (tenant_id, resend_of) where resend_of is not null;

create function mark_unknown() returns trigger language plpgsql as $$
begin
  new.unknown_since := now();
  return new;
end $$;
create trigger mark_unknown before update of state on dispatches for each row
  when (new.state = 'unknown' and old.state <> 'unknown') execute function mark_unknown();

-- The wall against a message twice, for those that are sent again: of a message and all that repeat it at most one
-- has left, or may have.
create function refuse_resend() returns trigger language plpgsql as $$
begin
  if exists (select from dispatches d where d.tenant_id = new.tenant_id and d.occurrence_id = new.occurrence_id
      and d.id <> new.id and coalesce(d.resend_of, d.id) = coalesce(new.resend_of, new.id)
      and d.state in ('sending', 'unknown', 'accepted', 'delivered')) then
    raise exception 'dispatch % repeats a message that may have arrived', new.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger refuse_resend before update of state on dispatches for each row
  when (new.state = 'sending' and old.state <> 'sending') execute function refuse_resend();

alter table fact_occurrence drop constraint fact_occurrence_delivery_check;
alter table fact_occurrence add constraint fact_occurrence_delivery_check
  check (delivery in ('accepted', 'unknown', 'suppressed', 'failed', 'expired', 'pending'));

alter table lift_tallies
  add column unknown bigint not null default 0,
  add column failed bigint not null default 0;
create or replace function tally_facts() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into lift_tallies (tenant_id, journey_id, lift_id, assigned, accepted, opened, responded, completed,
      unknown, failed)
    select f.tenant_id, f.journey_id, f.lift_id, -count(*), -count(f.accepted_at), -count(f.opened_at),
      -count(f.responded_at), -count(f.completed_at), -count(*) filter (where f.delivery = 'unknown'),
      -count(*) filter (where f.delivery = 'failed')
    from old_facts f join lifts l on l.tenant_id = f.tenant_id and l.id = f.lift_id
    where f.state not in ('cancelled', 'held') group by 1, 2, 3;
  end if;
  if tg_op <> 'DELETE' then
    insert into lift_tallies (tenant_id, journey_id, lift_id, assigned, accepted, opened, responded, completed,
      unknown, failed)
    select f.tenant_id, f.journey_id, f.lift_id, count(*), count(f.accepted_at), count(f.opened_at),
      count(f.responded_at), count(f.completed_at), count(*) filter (where f.delivery = 'unknown'),
      count(*) filter (where f.delivery = 'failed')
    from new_facts f join lifts l on l.tenant_id = f.tenant_id and l.id = f.lift_id
    where f.state not in ('cancelled', 'held') group by 1, 2, 3;
  end if;
  return null;
end $$;

-- Those that are there already. Row-level security is forced on their owner too.
alter table dispatches no force row level security;
alter table lifts no force row level security;
alter table fact_occurrence no force row level security;
alter table lift_tallies no force row level security;
update dispatches set unknown_since = coalesce(sent_at, created_on) where state = 'unknown';
insert into lift_tallies (tenant_id, journey_id, lift_id, failed)
select tenant_id, journey_id, lift_id, count(*) from fact_occurrence
where delivery = 'failed' and state not in ('cancelled', 'held') group by 1, 2, 3;
update fact_occurrence f set delivery = 'unknown' from dispatches d
where d.tenant_id = f.tenant_id and d.occurrence_id = f.occurrence_id and d.state = 'unknown'
  and f.delivery = 'pending' and f.accepted_at is null;
alter table dispatches force row level security;
alter table lifts force row level security;
alter table fact_occurrence force row level security;
alter table lift_tallies force row level security;
