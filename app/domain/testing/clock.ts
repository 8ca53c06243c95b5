/** The clock of the testing tenant, and how it is set forward. */
import { z } from 'zod'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** `ms`: how far; null: to the next message. `seconds`: how long the move takes. */
export const CLOCK_STEPS = {
  hour: { label: '1 hour', ms: HOUR, seconds: 0 },
  day: { label: '1 day', ms: DAY, seconds: 0 },
  week: { label: '1 week', ms: 7 * DAY, seconds: 0 },
  next_message: { label: 'To the next message', ms: null, seconds: 0 },
  six_weeks: { label: 'Play six weeks', ms: 42 * DAY, seconds: 60 },
} as const
export type ClockStep = keyof typeof CLOCK_STEPS
export const CLOCK_STEP_NAMES = Object.keys(CLOCK_STEPS) as [ClockStep, ...ClockStep[]]

/** How many recipients answer while the clock moves. */
export const ANSWERING = ['none', 'some', 'most'] as const
export type Answering = (typeof ANSWERING)[number]

export const ClockMove = z.object({
  from: z.string(),
  to: z.string(),
  began_on: z.string(),
  seconds: z.number(),
  answers: z.enum(ANSWERING).default('none'),
  /** Everything is being reset, the clock included. */
  starts_again: z.boolean().default(false),
})
export type ClockMove = z.infer<typeof ClockMove>

export const TestingClock = z.object({
  now: z.string(),
  timezone: z.string(),
  ahead_ms: z.number().int(),
  /** Incremented with every move. */
  version: z.number().int(),
  move: ClockMove.nullable(),
  next_message_at: z.string().nullable(),
})
export type TestingClock = z.infer<typeof TestingClock>

/** `version`: of the clock that was shown; if it has moved since, it does not move again. */
export const ClockInput = z.strictObject({
  by: z.enum(CLOCK_STEP_NAMES, 'Please choose how far'),
  answers: z.enum(ANSWERING, 'Please choose how many answer').default('none'),
  version: z.coerce.number().int().min(0),
})
export type ClockInput = z.infer<typeof ClockInput>
export const ClockForm = z.object(ClockInput.shape)

export const StartAgainInput = ClockInput.pick({ version: true })
export type StartAgainInput = z.infer<typeof StartAgainInput>
export const StartAgainForm = z.object(StartAgainInput.shape)

/** Progress in percent, 0 to 100. */
export function progressOf(move: ClockMove, now: string): number {
  const [from, to, at] = [move.from, move.to, now].map((moment) => Date.parse(moment))
  if (from === undefined || to === undefined || at === undefined || to <= from) return 100
  return Math.max(0, Math.min(100, Math.round(((at - from) / (to - from)) * 100)))
}
