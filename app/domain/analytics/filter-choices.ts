import { z } from 'zod'
import { JourneyChoices } from '../journeys/journey.ts'
import { FILTER_NAMES } from './filter-names.ts'

export const Choice = z.object({ id: z.number().int(), name: z.string() })
export type Choice = z.infer<typeof Choice>

const Choices = z.object({
  data: z.array(Choice),
  /** There are too many to list: people find them by name in the tables. */
  has_more: z.boolean(),
})

export const FilterChoices = z.object({
  today: z.string(),
  /** The journeys visible to the caller, drafts included. */
  journeys: JourneyChoices.shape.data,
  chosen: z.partialRecord(z.enum(FILTER_NAMES), Choice),
  learners: Choices,
  lifts: Choices,
  prompts: Choices,
  objectives: Choices,
})
export type FilterChoices = z.infer<typeof FilterChoices>
