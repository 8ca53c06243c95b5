/** What the participants' forms send about one member. */
import { z } from 'zod'
import { EmailAddress } from '#app/domain/text.ts'
import { MEMBER_ROLES } from './member.ts'

export const MemberForm = z.object({
  role: z.enum(MEMBER_ROLES),
  /** Of anybody in the company; empty for none. */
  sponsor: EmailAddress.optional(),
  exclude_data: z.boolean().default(false),
})

export const GroupForm = z.object({
  general_role: z.enum(['admin', 'author', 'user']).optional(),
  sub_tenant_id: z.uuid().optional(),
  role: z.enum(MEMBER_ROLES).default('learner'),
})
