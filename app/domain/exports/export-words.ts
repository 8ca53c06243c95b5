import { DEFINITIONS, type FigureName } from '../analytics/definitions.ts'
import type { OUTCOMES } from '../analytics/explained/explained.ts'
import { figures } from '../text/figures.ts'

/** Names of the tables of the reports. */
export const EXPORT_TABLES = {
  overview: 'Figures',
  trend: 'Week by week',
  timing: 'Days until the answer',
  failures: 'Messages that did not get through',
  grid: 'Learners by lifts',
  by_user: 'By learner',
  by_lift: 'By lift',
  learner: 'Lifts and answers of a learner',
  questions: 'Questions and how the answers spread',
  answers: 'Answers',
  explain: 'Learners and lifts behind a figure',
  assessments: 'Before and after',
} as const
export type ExportTable = keyof typeof EXPORT_TABLES

export const FILE_FORMATS = { xlsx: 'Excel', csv: 'CSV' } as const
export type FileFormat = keyof typeof FILE_FORMATS

type Named = {
  kind: ExportTable | 'statements'
  figure: FigureName | null
  outcome: (typeof OUTCOMES)[number] | null
}

/** The name of the screen that it was made from. */
export function titleOfExport({ kind, figure, outcome }: Named): string {
  if (kind === 'statements') return 'xAPI statements'
  if (kind !== 'explain' || !figure) return EXPORT_TABLES[kind]
  const { name, yes, no } = DEFINITIONS[figure]
  if (outcome === 'all') return `${name}: the learners and lifts behind it`
  if (outcome === 'behind') return 'Who is behind'
  if (outcome === 'waiting') return 'Who can still answer'
  if (figure === 'response') return outcome === 'no' ? 'Who has not answered' : 'Who has answered'
  return `${outcome === 'no' ? no : yes}: learners and lifts`
}

/** What became of statements that were sent. */
export const sentInWords = (many: number, note: string | null): string =>
  [`${figures(many)} ${many === 1 ? 'statement' : 'statements'} sent.`, note].filter(Boolean).join(' ')
