import type { AnalyticsSearch } from './query.ts'

/** The first three choose the subject of a report, the others narrow it. */
export const FILTER_NAMES = ['journey', 'user', 'lift', 'lift_id', 'prompt_id', 'lo_id'] as const
export type FilterName = (typeof FILTER_NAMES)[number]
export const DAY_NAMES = ['from', 'to', 'as_of'] as const

/** Whether the filters narrow a report to less than a whole journey, lift or learner. */
export const isNarrowed = ({ lift_id, prompt_id, lo_id, from, to, as_of }: AnalyticsSearch): boolean =>
  Boolean(lift_id ?? prompt_id ?? lo_id ?? from ?? to ?? as_of)
