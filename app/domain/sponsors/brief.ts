/** Which of a sponsor's learners need attention, and why: on their pages, and in the Monday mail. */
import { z } from 'zod'
import { OwedForm } from '../assessments/form.ts'

const many = z.number().int()

export const BriefItem = z.object({
  journey: z.object({ id: z.number().int(), name: z.string() }),
  user_id: z.number().int(),
  name: z.string(),
  overdue: many,
  late_commitments: many,
  to_acknowledge: many,
  to_score: many,
  /** Lifts came, and the learner has not reacted for a week. */
  is_quiet: z.boolean(),
})
export type BriefItem = z.infer<typeof BriefItem>

export const SponsorBrief = z.object({
  /** At most a hundred, those with most reasons first. */
  data: z.array(BriefItem),
  total: many,
  assessments: z.array(OwedForm),
})
export type SponsorBrief = z.infer<typeof SponsorBrief>

const counted = (number: number, one: string, more: string) =>
  number === 0 ? [] : [`${number} ${number === 1 ? one : more}`]

export const reasonsOf = (item: Omit<BriefItem, 'journey' | 'user_id' | 'name'>): string[] => [
  ...counted(item.overdue, 'lift overdue', 'lifts overdue'),
  ...counted(item.late_commitments, 'commitment due', 'commitments due'),
  ...counted(item.to_acknowledge, 'commitment to acknowledge', 'commitments to acknowledge'),
  ...counted(item.to_score, 'answer to score', 'answers to score'),
  ...(item.is_quiet ? ['nothing heard for a week'] : []),
]
