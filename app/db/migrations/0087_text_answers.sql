-- A reply to a lift's text is its answer, or is told what would be one.
alter table inbound_texts drop constraint inbound_texts_reading_check,
  add constraint inbound_texts_reading_check
    check (reading in ('stop', 'leave', 'start', 'help', 'answer', 'unclear', 'other'));
