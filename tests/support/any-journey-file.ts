/** fast-check arbitraries for a journey file's head and lifts: whatever the schema accepts, even if easily misread. */
import fc from 'fast-check'
import { WEEKDAYS } from '#app/domain/hours/wall-time.ts'
import { CHANNELS } from '#app/domain/journeys/channel.ts'
import { LATE_JOINERS } from '#app/domain/journeys/journey.ts'
import { Block } from '#app/domain/lifts/blocks.ts'
import { PROMPT_KINDS, VISIBILITIES } from '#app/domain/lifts/prompt.ts'
import {
  DocumentAssessment,
  DocumentHead,
  DocumentLift,
  DocumentPrompt,
} from '#app/domain/running/documents/document.ts'

const TRICKY = [
  '~~~settings',
  '# Lift: not one',
  '\\~~~',
  '---',
  'a: b',
  '"',
  "'",
  '{{constructor}}',
  '👍🏽',
  'é',
  ' ',
  '\t- x',
  '#',
  '|',
  '>',
]
const words = (max: number) =>
  fc
    .array(fc.oneof(fc.constantFrom(...TRICKY), fc.string({ unit: 'grapheme', maxLength: 8 })), {
      minLength: 1,
      maxLength: 5,
    })
    .map((parts) => parts.join(' ').slice(0, max))
/** Values as the schema returns them, because those are what the database holds. */
const valid = <Value>(
  schema: { safeParse(given: unknown): { success: boolean; data?: Value } },
  given: fc.Arbitrary<unknown>,
) =>
  given
    .map((value) => schema.safeParse(value))
    .filter((parsed) => parsed.success)
    .map((parsed) => parsed.data as Value)
const lines = fc.array(words(60), { minLength: 1, maxLength: 6 }).map((all) => all.join('\n'))

const block = valid(
  Block,
  fc.oneof(
    fc.record({ kind: fc.constant('text'), markdown: lines }),
    fc.record({
      kind: fc.constant('callout'),
      tone: fc.constantFrom('info', 'success', 'warning'),
      markdown: lines,
    }),
    fc.record({
      kind: fc.constant('file'),
      src: fc.constant('/files/0b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f0f/1b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f06'),
      title: words(80),
    }),
    fc.record({
      kind: fc.constant('image'),
      src: fc.constant('/files/0b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f0f/1b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f04'),
      alt: words(80),
    }),
    fc.record({
      kind: fc.constantFrom('video', 'audio'),
      src: fc.constant('/files/0b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f0f/1b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f05'),
      title: words(80),
      transcript: fc.oneof(lines, fc.constant('')),
      captions: fc.option(
        fc.constant('/files/0b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f0f/1b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f07'),
        { nil: undefined },
      ),
    }),
    fc.record({ kind: fc.constant('link'), href: fc.webUrl({ validSchemes: ['https'] }), title: words(80) }),
  ),
)
const prompt = valid(
  DocumentPrompt,
  fc.record({
    kind: fc.constantFrom(...PROMPT_KINDS),
    text: words(200),
    help: words(100),
    required: fc.boolean(),
    visibility: fc.constantFrom(...VISIBILITIES),
    scoring: fc.constantFrom('none', 'auto', 'sponsor', 'author'),
    target: fc.oneof(
      fc.constant(null),
      fc.record({
        value: fc.constantFrom(true, false, 0, -1.5, 1e12),
        tolerance: fc.constantFrom(0, 0.5),
        right: words(80),
        wrong: words(80),
      }),
    ),
    max_score: fc.constantFrom(1, 0.5, 1000),
    objectives: fc.subarray(['LO1', '1', 'yes']),
    options: fc.oneof(
      fc.constant([]),
      fc.uniqueArray(
        fc.record({
          id: fc.constantFrom('a', 'b', 'c', 'no', '1'),
          text: words(50),
          feedback: words(50),
          correct: fc.constantFrom(true, false, null),
        }),
        { minLength: 2, maxLength: 4, selector: (option) => option.id },
      ),
    ),
  }),
)
export const anyLift = valid(
  DocumentLift,
  fc.record({
    title: words(80),
    status: fc.constantFrom('draft', 'ready'),
    sms_text: lines,
    email_subject: words(100),
    required: fc.boolean(),
    completion_rule: fc.constantFrom('all_required_prompts', 'viewed_and_confirmed'),
    est_minutes: fc.integer({ min: 1, max: 120 }),
    objectives: fc.subarray(['LO1', '1', 'yes']),
    schedule: fc.constantFrom(
      { kind: 'manual', at_launch: false },
      { kind: 'offset', from: 'start', days: 0, time: '23:59' },
      { kind: 'offset', from: 'previous_lift_completed', days: 730, time: null },
      { kind: 'manual', at_launch: true },
      { kind: 'absolute', date: '2028-02-29', time: '09:00' },
      { kind: 'offset', from: 'joined', days: 3, time: null },
      { kind: 'weekly', week: 2, weekday: 'Tue', time: '10:30' },
    ),
    closes_after_hours: fc.constantFrom(null, 48),
    blocks: fc.array(block, { maxLength: 4 }),
    prompts: fc.array(prompt, { maxLength: 3 }),
  }),
)
const item = valid(
  DocumentAssessment.shape.items.unwrap().element,
  fc
    .record({
      text: words(200),
      kind: fc.constantFrom('scale', 'choice', 'text'),
      objective: fc.constantFrom(null, 'LO1', 'yes'),
      weight: fc.constantFrom(0, 1, 2.5),
      pair_key: fc.constantFrom('', '1', 'no'),
      anchors: fc.array(fc.constantFrom('', 'never', '~'), { minLength: 2, maxLength: 5 }),
    })
    .map(({ anchors, ...one }) => ({
      ...one,
      ...(one.kind === 'scale' && { anchors }),
      ...(one.kind === 'choice' && {
        options: anchors.map((_, nth) => ({ id: `o${nth}`, text: 'yes', points: nth > 1 ? nth : null })),
      }),
    })),
)
const assessment = valid(
  DocumentAssessment,
  fc.record({
    name: words(100),
    phase: fc.constantFrom('pre', 'post', 'follow_up'),
    raters: fc.subarray(['self', 'sponsor', 'peers'], { minLength: 1 }),
    opens: fc.constantFrom(
      { kind: 'absolute', date: '2026-03-29', time: '02:30' },
      { kind: 'offset', from: 'joined', days: 3, time: null },
    ),
    closes: fc.constantFrom(null, { kind: 'offset', from: 'joined', days: 9, time: '10:00' }),
    anonymous_min: fc.constantFrom(5, 7),
    items: fc.array(item, { maxLength: 3 }),
  }),
)
export const anyHead = valid(
  DocumentHead,
  fc.record({
    name: words(100),
    description: lines,
    category: words(60),
    start_on: fc.constantFrom(null, '2026-03-29'),
    send_days: fc.subarray([...WEEKDAYS], { minLength: 1 }),
    timezone_mode: fc.constantFrom('recipient', 'journey'),
    timezone: fc.constantFrom('UTC', 'America/Argentina/Buenos_Aires'),
    default_send_time: fc.constantFrom('00:00', '09:30'),
    channels: fc.shuffledSubarray([...CHANNELS], { minLength: 1 }),
    reminder_policy: fc.array(
      fc.record({ after_hours: fc.integer({ min: 1, max: 720 }), channel: fc.constantFrom(...CHANNELS) }),
      { maxLength: 3 },
    ),
    late_joiners: fc.constantFrom(...LATE_JOINERS),
    assessments: fc.array(assessment, { maxLength: 3 }),
    objectives: fc.tuple(
      ...['LO1', '1', 'yes'].map((code) =>
        fc.record({ code: fc.constant(code), text: words(80), target_level: fc.constantFrom(null, 0, 0.75) }),
      ),
    ),
  }),
)
