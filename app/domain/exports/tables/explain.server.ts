/** The learners and lifts behind a figure, as a table; it includes those without an answer. */
import { DEFINITIONS } from '../../analytics/definitions.ts'
import { explainFigure } from '../../analytics/explained/explain.server.ts'
import type { ExplainedRow, ExplainQuery } from '../../analytics/explained/explained.ts'
import type { Scope } from '../../scope/scope.server.ts'
import { AT_ONCE, type Table, tableOfPages, time } from './table.ts'

const DELIVERIES: Readonly<Record<string, string>> = {
  accepted: 'Sent',
  unknown: 'Unconfirmed',
  suppressed: 'Held back',
  failed: 'Failed',
  expired: 'Too late',
}

export const explainTable = (scope: Scope, query: ExplainQuery): Promise<Table> =>
  tableOfPages<ExplainedRow>(
    DEFINITIONS[query.figure].name,
    [
      { head: 'Learner', cell: ({ name }) => name },
      { head: 'Learner number', cell: ({ user_id }) => user_id },
      { head: 'Journey', cell: ({ journey }) => journey },
      { head: 'Lift', cell: ({ lift }) => lift },
      { head: 'Lift number', cell: ({ lift_id }) => lift_id },
      { head: DEFINITIONS[query.figure].name, cell: ({ counts }) => (counts ? 'Yes' : 'No') },
      // A message sent after the as-of moment was still pending then.
      {
        head: 'Message',
        cell: ({ delivery, sent_at }) =>
          delivery === 'accepted' && !sent_at ? 'Waiting' : (DELIVERIES[delivery] ?? 'Waiting'),
      },
      { head: 'Why it did not get through', cell: ({ reason }) => reason ?? '' },
      { head: 'Due (UTC)', as: 'time', cell: ({ due_at }) => time(due_at) },
      { head: 'Sent (UTC)', as: 'time', cell: ({ sent_at }) => time(sent_at) },
      { head: 'Delivered (UTC)', as: 'time', cell: ({ delivered_at }) => time(delivered_at) },
      { head: 'Opened (UTC)', as: 'time', cell: ({ opened_at }) => time(opened_at) },
      { head: 'Answered (UTC)', as: 'time', cell: ({ answered_at }) => time(answered_at) },
      { head: 'Completed (UTC)', as: 'time', cell: ({ completed_at }) => time(completed_at) },
    ],
    (page) => explainFigure(scope, { ...query, page, per_page: AT_ONCE }, Number.POSITIVE_INFINITY),
  )
