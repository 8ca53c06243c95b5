/** What the addresses of the assessments' screens ask for: each dialog is a parameter. */
import { z } from 'zod'
import { ITEM_KINDS } from '#app/domain/assessments/assessment.ts'
import { AssessmentsQuery } from '#app/domain/assessments/form.ts'
import { searchOf } from '../search-of.ts'

const id = z.coerce.number().int().positive().optional().catch(undefined)

const ListSearch = z.object({
  page: AssessmentsQuery.shape.page.catch(1),
  q: AssessmentsQuery.shape.q.catch(''),
  create: z.stringbool().catch(false),
  edit: id,
  /** One there is, by its id; a new one by its kind. */
  item: z
    .union([z.coerce.number().int().positive(), z.enum(ITEM_KINDS)])
    .optional()
    .catch(undefined),
  remove: id,
})
export type ListSearch = z.infer<typeof ListSearch>

const ShowSearch = z.object({
  /** Which of several forms is filled in. */
  assessment: id,
  /** Which one is to be opened again: an assessment, and whose form. */
  reopen: id,
  rater: z.enum(['self', 'sponsor']).catch('self'),
})

export const readListSearch = (request: Request) => ListSearch.parse(searchOf(request))
export const readShowSearch = (request: Request) => ShowSearch.parse(searchOf(request))
