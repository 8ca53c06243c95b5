/** Columns with learners' self-assessments before and after, and the change; `label` names it. */
import type { ObjectiveFigures } from '#app/domain/analytics/assessed/assessment-figures.ts'
import { percentOf, saidOfChange } from '#app/domain/analytics/assessed/assessment-words.ts'
import type { Column } from '#app/ui/list/table.tsx'

export const changeColumns = (label: string): readonly Column<ObjectiveFigures>[] => [
  {
    key: 'before',
    label: 'Before',
    align: 'end',
    render: ({ self_change }) => percentOf(self_change.before),
  },
  { key: 'after', label: 'After', align: 'end', render: ({ self_change }) => percentOf(self_change.after) },
  { key: 'change', label, render: ({ self_change, learners }) => saidOfChange(self_change, learners) },
]
