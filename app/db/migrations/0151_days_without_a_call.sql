-- PostgreSQL puts a function into the query instead of calling it for each of a million rows, if it is as immutable as it
-- says: a time plus an interval depends on the session's time zone.
create or replace function days_until_answer(accepted_at timestamptz, responded_at timestamptz) returns smallint
  language sql immutable return case
    when responded_at is null then null
    when accepted_at is null or responded_at < accepted_at then 0
    else least(14, floor(date_part('epoch', responded_at - accepted_at) / 86400)) end;
