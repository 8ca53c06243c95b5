/** The columns of figures: every count, and the rates shown on screen. */
import { DEFINITIONS, FIGURE_NAMES } from '../../analytics/definitions.ts'
import type { Counts, Figures } from '../../analytics/figures.ts'
import { share, type Told } from './table.ts'

export const COUNTS: Record<keyof Counts, string> = {
  assigned: 'Due',
  accepted: 'Sent',
  unknown: 'Unconfirmed',
  suppressed: 'Held back',
  failed: 'Failed',
  expired: 'Too late',
  pending: 'Waiting',
  delivered: 'Delivered',
  opened: 'Opened',
  asked: 'Asking something',
  responded: 'Answered',
  completed: 'Completed',
}

export const figureColumns = <Row extends Figures>(): readonly Told<Row>[] => [
  ...Object.entries(COUNTS).map(([name, head]) => ({
    head,
    cell: ({ counts }: Row) => counts[name as keyof Counts],
  })),
  { head: 'Opened, of those delivered', cell: ({ open }) => open.n },
  ...FIGURE_NAMES.map((figure) => ({
    head: `${DEFINITIONS[figure].name}, share`,
    as: 'share' as const,
    cell: (row: Row) => share(row[figure]),
  })),
]
