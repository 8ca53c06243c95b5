/** The same question before and after, from different raters, side by side. */
import { levelOf } from './answer.ts'
import type { AssessmentItem, Rater } from './assessment.ts'
import type { LearnerAssessment } from './form.ts'

/** One answer, or the peers' average: in words, and as a level from 0 to 1. */
type Said = { words: string; level: number | null }
export type ComparedColumn = { key: string; assessment: LearnerAssessment; rater: Rater }
export type ComparedRow = {
  key: string
  text: string
  said: Record<string, Said>
  /** How much higher learners see themselves than their sponsors do, by assessment. */
  gaps: Record<string, number>
  /** The change from the learner's first to their last answer. */
  change: number | null
}
export type Comment = { key: string; text: string; from: { who: string; words: string }[] }

const columnKey = (assessment: LearnerAssessment, rater: Rater) => `${assessment.id} ${rater}`

export const columnsOf = (assessments: readonly LearnerAssessment[]): ComparedColumn[] =>
  assessments.flatMap((assessment) => {
    const raters = assessment.forms
      .filter((form) => form.state === 'submitted' && form.answers !== null && form.rater !== 'peers')
      .map((form) => form.rater)
    const all: Rater[] = assessment.peers && assessment.peers.counted > 0 ? [...raters, 'peers'] : raters
    return all.map((rater) => ({ key: columnKey(assessment, rater), assessment, rater }))
  })

const pairOf = ({ pair_key, text }: AssessmentItem) => pair_key || text.toLowerCase()

export function rowsOf(assessments: readonly LearnerAssessment[]): ComparedRow[] {
  const rows = new Map<string, ComparedRow>()
  for (const { key: column, assessment, rater } of columnsOf(assessments))
    for (const item of assessment.items.filter((one) => one.kind !== 'text')) {
      const key = pairOf(item)
      const row = rows.get(key) ?? { key, text: item.text, said: {}, gaps: {}, change: null }
      rows.set(key, row)
      const said = saidOf(assessment, rater, item)
      if (said) row.said[column] = said
    }
  for (const row of rows.values()) measure(row, assessments)
  return [...rows.values()]
}

function measure(row: ComparedRow, assessments: readonly LearnerAssessment[]): void {
  const level = (assessment: LearnerAssessment, rater: Rater) =>
    row.said[columnKey(assessment, rater)]?.level ?? null
  for (const assessment of assessments) {
    const [self, sponsor] = [level(assessment, 'self'), level(assessment, 'sponsor')]
    if (self !== null && sponsor !== null) row.gaps[assessment.id] = self - sponsor
  }
  const own = assessments.flatMap((assessment) => level(assessment, 'self') ?? [])
  row.change = own.length > 1 ? (own.at(-1) ?? 0) - (own[0] ?? 0) : null
}

function saidOf(assessment: LearnerAssessment, rater: Rater, item: AssessmentItem): Said | null {
  if (rater === 'peers') {
    const found = assessment.peers?.levels.find((one) => one.item_id === item.id)
    return found ? { words: inPercent(found.level), level: found.level } : null
  }
  const form = assessment.forms.find((one) => one.rater === rater)
  const value = form?.answers?.find((one) => one.item_id === item.id)?.value
  if (value === undefined || value === null) return null
  const words =
    item.kind === 'scale'
      ? `${value} of ${item.anchors.length}`
      : (item.options.find((option) => option.id === value)?.text ?? String(value))
  return { words, level: levelOf(item, value) }
}

export function commentsOf(
  assessments: readonly LearnerAssessment[],
  nameOf: (column: ComparedColumn) => string,
): Comment[] {
  const comments = new Map<string, Comment>()
  for (const column of columnsOf(assessments))
    for (const item of column.assessment.items) {
      if (item.kind !== 'text') continue
      const words = wordsOf(column, item.id)
      if (words.length === 0) continue
      const key = pairOf(item)
      const comment = comments.get(key) ?? { key, text: item.text, from: [] }
      comments.set(key, comment)
      comment.from.push(...words.map((one) => ({ who: nameOf(column), words: one })))
    }
  return [...comments.values()]
}

function wordsOf({ assessment, rater }: ComparedColumn, itemId: number): string[] {
  if (rater === 'peers')
    return (assessment.peers?.words ?? []).filter((one) => one.item_id === itemId).map((one) => one.text)
  const answers = assessment.forms.find((form) => form.rater === rater)?.answers ?? []
  return answers.filter((one) => one.item_id === itemId).map((one) => String(one.value))
}

export const inPercent = (level: number): string => `${Math.round(level * 100)}%`
export const inPoints = (difference: number): string => {
  const points = Math.round(difference * 100)
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '0'
}
