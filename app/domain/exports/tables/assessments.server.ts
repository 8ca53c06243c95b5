import { listAssessmentFigures } from '../../analytics/assessed/assessment-figures.server.ts'
import type { Comparison, ObjectiveFigures } from '../../analytics/assessed/assessment-figures.ts'
import type { Scope } from '../../scope/scope.server.ts'
import { AT_ONCE, rounded, type Table, type Told, tableOfPages } from './table.ts'

type Compared = 'self_change' | 'sponsor_change' | 'gap_before' | 'gap_after'

/** Two measurements of the same people: the names of the comparison and of both measurements. */
const COMPARED: Record<Compared, readonly [what: string, first: string, second: string]> = {
  self_change: ['Learners themselves', 'before', 'after'],
  sponsor_change: ['Sponsors', 'before', 'after'],
  gap_before: ['Before', 'sponsors', 'learners'],
  gap_after: ['After', 'sponsors', 'learners'],
}

const columnsOf = (name: Compared): readonly Told<ObjectiveFigures>[] => {
  const [what, first, second] = COMPARED[name]
  const columns: readonly [string, (one: Comparison) => number | null][] = [
    [first, ({ before }) => before],
    [second, ({ after }) => after],
    ['difference', ({ difference }) => difference],
    ['95% interval from', ({ low }) => low],
    ['95% interval to', ({ high }) => high],
    ['d', ({ d_z }) => d_z],
    ['n', ({ counted }) => counted],
  ]
  return columns.map(([head, cell]) => ({
    head: `${what}: ${head}`,
    cell: (row) => rounded(cell(row[name])),
  }))
}

type Asked = { journey?: number | undefined; lo_id?: number | undefined; as_of: string }

export const assessmentsTable = (scope: Scope, asked: Asked): Promise<Table> =>
  tableOfPages<ObjectiveFigures>(
    'Before and after',
    [
      { head: 'Objective', cell: ({ code, text }) => `${code} ${text}`.trim() },
      { head: 'Objective number', cell: ({ objective_id }) => objective_id },
      { head: 'Journey', cell: ({ journey }) => journey },
      { head: 'Target', cell: ({ target_level }) => target_level },
      { head: 'Learners', cell: ({ learners }) => learners },
      ...(Object.keys(COMPARED) as Compared[]).flatMap(columnsOf),
    ],
    (page) => listAssessmentFigures(scope, { ...asked, page, per_page: AT_ONCE }),
  )
