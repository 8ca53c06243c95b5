/** Who takes part in a journey: learners, their sponsors, facilitators. */
import { z } from 'zod'
import { Pagination, pageQuery } from '#app/domain/page.ts'

export const MEMBER_ROLES = ['learner', 'sponsor', 'facilitator'] as const
export const MEMBER_STATES = ['invited', 'active', 'completed', 'paused', 'withdrawn'] as const
export const MEMBER_ORDERS = ['date', 'name'] as const

export const Member = z.object({
  id: z.number().int(),
  journey_id: z.number().int(),
  user_id: z.number().int(),
  name: z.string(),
  email: z.string(),
  role: z.enum(MEMBER_ROLES),
  state: z.enum(MEMBER_STATES),
  exclude_data: z.boolean(),
  sponsor_id: z.number().int().nullable(),
  joined_at: z.string(),
})
export type Member = z.infer<typeof Member>
export const MemberPage = z.object({ data: z.array(Member), pagination: Pagination })

export const MemberQuery = pageQuery(MEMBER_ORDERS).extend({ role: z.enum(MEMBER_ROLES).optional() })
export type MemberQuery = z.infer<typeof MemberQuery>

export const MembersInput = z.strictObject({
  user_ids: z
    .array(z.number().int().positive())
    .min(1, 'Please choose at least one person')
    .max(500, 'Please add at most 500 at once'),
  role: z.enum(MEMBER_ROLES).default('learner'),
  exclude_data: z.boolean().default(false),
})
export type MembersInput = z.infer<typeof MembersInput>

/** `added` are new or returned; `skipped` took part already. */
export const MembersAdded = z.object({
  data: z.array(Member),
  added: z.number().int(),
  skipped: z.number().int(),
})
export type MembersAdded = z.infer<typeof MembersAdded>
