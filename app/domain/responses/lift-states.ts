const STATES: Readonly<Record<string, string>> = {
  planned: 'Planned',
  held: 'On hold',
  due: 'Being sent',
  sent: 'Sent',
  opened: 'Opened',
  responded: 'Answered in part',
  completed: 'Completed',
  expired: 'Closed unanswered',
  suppressed: 'Not sent',
}

/** States of messages that did not reach a learner who has not seen the lift otherwise. */
const NOT_THROUGH: Readonly<Record<string, string>> = {
  unknown: 'Message unconfirmed',
  suppressed: 'Message held back',
  failed: 'Message failed',
  expired: 'Too late to send',
}

type Turn = { state: string; delivery: string }

/** A learner's state in a lift, in the words of the learner's own pages. */
export function stateInWords({ state, delivery }: Turn): string {
  const hindered = NOT_THROUGH[delivery]
  if (hindered && state === 'due') return hindered
  if (hindered && state === 'expired') return `Closed unanswered: ${hindered.toLowerCase()}`
  return STATES[state] ?? state
}

export type Steps = {
  state: string
  due_at: Date | null
  opened_at: Date | null
  first_response_at: Date | null
  completed_at: Date | null
  closes_at: Date | null
}

/** The state at a moment. Delivery problems have no history, so they are always the current ones. */
export function stateBy(as_of: Date | null, { state, ...at }: Steps): string {
  if (as_of === null) return state
  if (at.due_at !== null && at.due_at > as_of) return state === 'held' ? state : 'planned'
  const isLater = (moment: Date | null) => moment !== null && moment > as_of
  const steps = [at.completed_at, at.first_response_at, at.opened_at]
  if (![...steps, state === 'expired' ? at.closes_at : null].some(isLater)) return state
  const reached = steps.findIndex((moment) => moment !== null && moment <= as_of)
  return ['completed', 'responded', 'opened'][reached] ?? 'sent'
}

/** Closing a sent lift changes no rows, so "expired" is derived here. */
export const closedBy = (moment: Date, state: string, closes_at: Date | null): string =>
  (state === 'sent' || state === 'opened') && closes_at !== null && closes_at <= moment ? 'expired' : state
