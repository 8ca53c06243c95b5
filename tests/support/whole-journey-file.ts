/** A journey file with every possible setting. */
export const WHOLE_FILE = `---
liftwell: 1
name: Better talks
description: |
  For everybody who leads.
  Six weeks.
category: Leading
start_on: 2028-02-29
timezone_mode: recipient
timezone: Europe/Madrid
default_send_time: 09:30
send_days:
  - Mon
  - Tue
channels:
  - sms
  - email
reminder_policy:
  - after_hours: 24
    channel: email
late_joiners: one_a_day
objectives:
  - code: LO1
    text: Listens first
    target_level: 0.75
  - code: LO2
    text: Asks openly
assessments:
  - name: Before
    phase: pre
    raters:
      - self
      - sponsor
    opens:
      kind: offset
      from: joined
      days: 3
      time: 10:00
    closes:
      kind: absolute
      date: 2028-05-01
      time: 18:00
    anonymous_min: 5
    items:
      - text: How often do you listen?
        kind: scale
        objective: LO1
        weight: 2
        anchors:
          - never
          - always
        pair_key: listening
      - text: Where?
        kind: choice
        options:
          - id: a
            text: At work
            points: 1
          - id: b
            text: At home
---

# Lift: Listen

~~~settings
status: ready
sms_text: "Hi {{first_name}}: {{link}}"
email_subject: Listen
schedule:
  kind: weekly
  week: 1
  weekday: Tue
  time: 10:30
required: true
completion_rule: all_required_prompts
closes_after_hours: 48
est_minutes: 4
objectives:
  - LO1
~~~

Some text.

~~~break
~~~

More text.

~~~image
src: /files/0b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f0f/1b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f01
alt: Two people at a table
~~~

~~~video
src: /files/0b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f0f/1b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f02
title: A talk
transcript: |
  Hello.
captions: /files/0b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f0f/1b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f03
~~~

~~~link
href: https://example.com/
title: Read on
~~~

~~~callout
tone: info
markdown: Mind this.
~~~

~~~question
kind: single_choice
text: What comes first?
help: Think of yesterday.
options:
  - id: a
    text: Listening
    correct: true
    feedback: Yes.
  - id: b
    text: Talking
scoring: auto
max_score: 2
required: true
visibility: sponsor
objectives: [LO1, LO2]
~~~

~~~question
kind: number
text: How many minutes?
target:
  value: 5
  tolerance: 1
  right: Just so.
  wrong: Not quite.
scoring: auto
~~~

# Lift: Ask

~~~settings
schedule:
  kind: after_lift
  lift: 1
  min_hours: 24
~~~
`
