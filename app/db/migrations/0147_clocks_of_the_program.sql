-- Node and PostgreSQL each have their own rules of time zones, and one may know of a change before the other: a text that
-- the program sent in the evening was refused as if it were night. The wall now goes by the clocks of the program.
alter table zone_rules
  add changed_at timestamptz[] not null default '{}',
  -- Minutes ahead of UTC, from each change on.
  add offsets integer[] not null default '{}';
grant select on zone_rules to liftwell_app;

-- PostgreSQL's own clock where the program has said nothing, and beyond the years that it looks at.
create function clock_in(zone text, at timestamptz) returns timestamp language sql stable as $$
  select coalesce((
    select at at time zone 'UTC' + make_interval(mins =>
      r.offsets[(select count(*)::integer from unnest(r.changed_at) as changed where changed <= at)])
    from zone_rules r where r.zone = clock_in.zone and at < '2037-01-01Z'
  ), at at time zone clock_in.zone)
$$;

do $change$
declare
  before text := pg_get_functiondef('refuse_dispatch()'::regprocedure);
  after text := replace(before, '(scope_now() at time zone coalesce(u.timezone, s.timezone, t.timezone))::time',
    'clock_in(coalesce(u.timezone, s.timezone, t.timezone), scope_now())::time');
begin
  if after = before then
    raise exception 'refuse_dispatch is not as expected';
  end if;
  execute after;
end
$change$;
