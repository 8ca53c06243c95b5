import { z } from 'zod'
import { EmailAddress, line } from '#app/domain/text/text.ts'
import { Group } from '#app/domain/users/groups/choosing.ts'
import { MEMBER_ROLES, type Member } from './member.ts'

export const MemberForm = z.object({
  lock_version: z.number().int().min(0).optional(),
  role: z.enum(MEMBER_ROLES),
  /** The e-mail address of anybody in the company, or words to search for; empty for no sponsor. */
  sponsor: line(200).optional(),
  /** The person chosen from the search results. */
  chosen: EmailAddress.optional(),
  exclude_data: z.boolean().default(false),
})

export const formOfMember = ({ lock_version, role, sponsor_email, exclude_data }: Member) => ({
  ...{ lock_version, role, exclude_data },
  sponsor: sponsor_email ?? '',
})

/** Whether the sponsor is hidden here: then an empty field does not remove them. */
export const hasHiddenSponsor = ({ sponsor_id, sponsor_email }: Member): boolean =>
  sponsor_id !== null && sponsor_email === null

export const GroupForm = z.object({
  ...Group.shape,
  role: z.enum(MEMBER_ROLES).default('learner'),
})
