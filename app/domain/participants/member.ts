import { z } from 'zod'
import { NumberList, Pagination, pageQuery } from '#app/domain/page.ts'
import type { TableShape } from '#app/domain/tables/table.ts'
import { REQUIRED } from '#app/domain/text/text.ts'
import { Group } from '#app/domain/users/groups/choosing.ts'

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
  /** Inside a sub-tenant, a sponsor from elsewhere is mentioned, without an address. */
  sponsor_name: z.string().nullable(),
  sponsor_email: z.string().nullable(),
  joined_at: z.string(),
  lock_version: z.number().int(),
})
export type Member = z.infer<typeof Member>
export const MemberPage = z.object({
  data: z.array(Member),
  pagination: Pagination,
  /** Inside a sub-tenant: the number of participants that it does not show; absent in a search, and for very many. */
  outside: z.number().int().optional(),
})

export const MemberQuery = pageQuery(MEMBER_ORDERS).extend({
  role: z.enum(MEMBER_ROLES).optional(),
  user_ids: NumberList.optional(),
  member_id: z.coerce.number().int().positive().optional(),
  withdrawn: z.stringbool().default(false),
})
export type MemberQuery = z.infer<typeof MemberQuery>

export const MembersInput = z.strictObject({
  user_ids: z.array(z.number().int().positive()).max(500, 'Please add at most 500 at once').default([]),
  group: Group.optional(),
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

const membersChange = z.strictObject({
  member_ids: z.array(z.number().int().positive()).min(1, 'Please choose at least one person').max(500),
  exclude_data: z.boolean().optional(),
  role: z.enum(MEMBER_ROLES).optional(),
  /** The membership of a sponsor, or null for none. */
  sponsor_id: z.number().int().positive().nullable().optional(),
  /** The sponsor as a person, who becomes a sponsor of the journey if necessary. */
  sponsor_user_id: z.number().int().positive().optional(),
  /** Brings back somebody who left. */
  state: z.literal('active').optional(),
  lock_version: z.number().int().min(0).optional(),
})
export const MembersChange = membersChange.refine(
  ({ lock_version, member_ids }) => lock_version === undefined || member_ids.length === 1,
  { path: ['lock_version'], message: 'A version is that of one member' },
)
export type MembersChange = z.infer<typeof MembersChange>

export const RemoveMemberQuery = z.object({
  /** The new sponsor of the learners of a removed sponsor; none if left out. */
  successor_id: z.coerce.number().int().positive().optional(),
})

const Sponsored = z.object({
  id: z.number().int(),
  email: z.string(),
  name: z.string(),
  sponsorId: z.number().int(),
})
export const Sponsor = z.object({
  id: z.number().int(),
  email: z.string(),
  name: z.string(),
  learners: z.array(Sponsored),
})
export const Sponsors = z.object({ data: z.array(Sponsor) })
export type Sponsor = z.infer<typeof Sponsor>

/** All columns but the first may be left out. */
export const PARTICIPANTS_TABLE: TableShape<'email' | 'role' | 'sponsor' | 'exclude_data'> = {
  labels: { email: 'E-mail', role: 'Role', sponsor: 'Sponsor', exclude_data: 'Exclude data' },
  needed: ['email'],
  ignored: [],
  maxRows: 10_000,
}
export const MAX_IMPORT_CHARACTERS = 2_000_000

export const MembersImport = z.strictObject({
  csv: z.string({ error: REQUIRED }).min(1, REQUIRED).max(MAX_IMPORT_CHARACTERS, 'This file is too long'),
  dry_run: z.boolean().default(true),
})
export type MembersImport = z.infer<typeof MembersImport>

export const MembersImported = z.object({
  rows: z.array(
    z.object({
      line: z.number().int(),
      email: z.string(),
      name: z.string(),
      role: z.enum(MEMBER_ROLES),
      outcome: z.enum(['added', 'returns', 'changed', 'same']),
      /** The changed values, as people read them. */
      changes: z.array(
        z.object({
          field: z.enum(['role', 'sponsor', 'exclude_data']),
          before: z.string(),
          after: z.string(),
        }),
      ),
    }),
  ),
  /** People who join as sponsors because a row names them, without a row of their own. */
  joining_sponsors: z.array(z.string()),
  problems: z.array(z.object({ line: z.number().int(), message: z.string() })),
  /** Whether the import was applied; a file with an error changes nothing. */
  done: z.boolean(),
})
export type MembersImported = z.infer<typeof MembersImported>
