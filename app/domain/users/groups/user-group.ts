/** A named group of people who are added to journeys together. */

import { z } from 'zod'
import { beginningOf } from '#app/domain/text/beginning.ts'
import { EmailAddress, requiredLine } from '#app/domain/text/text.ts'

export const UserGroup = z.object({
  id: z.number().int(),
  name: z.string(),
  sub_tenant_id: z.uuid().nullable(),
  sub_tenant: z.string().nullable(),
  people: z.number().int(),
  lock_version: z.number().int(),
})
export type UserGroup = z.infer<typeof UserGroup>
export const UserGroups = z.object({ data: z.array(UserGroup) })

export const UserGroupInput = z.strictObject({ name: requiredLine(80) })
export type UserGroupInput = z.infer<typeof UserGroupInput>

export const UserGroupChange = UserGroupInput.extend({ lock_version: z.number().int().min(0) })
export type UserGroupChange = z.infer<typeof UserGroupChange>

export const UserGroupForm = z.object({
  lock_version: z.number().int().min(0).optional(),
  name: UserGroupInput.shape.name,
})

const MAX_AT_ONCE = 500
const TOO_MANY = `Please choose at most ${MAX_AT_ONCE} people at once`
const ids = z.array(z.number().int().positive()).max(MAX_AT_ONCE, TOO_MANY).default([])

export const GroupPeopleChange = z.strictObject({
  add_user_ids: ids,
  add_emails: z.array(EmailAddress).max(MAX_AT_ONCE, TOO_MANY).default([]),
  remove_user_ids: ids,
})
export type GroupPeopleChange = z.infer<typeof GroupPeopleChange>

export const GroupPeopleChanged = z.object({ added: z.number().int(), removed: z.number().int() })
export type GroupPeopleChanged = z.infer<typeof GroupPeopleChanged>

/**
 * The ticked people, the search that lists them, and pasted e-mail addresses, separated by lines, spaces, commas or
 * semicolons.
 */
export const AddToGroupForm = z.object({
  people: z.string().optional(),
  user_ids: ids,
  add_emails: z
    .string()
    .max(50_000, 'Please use at most 50,000 characters')
    .default('')
    .transform((typed, context) => {
      const refuse = (message: string) => context.addIssue({ code: 'custom', message })
      const emails = typed.split(/[\s,;]+/).filter(Boolean)
      const wrong = emails.find((email) => !EmailAddress.safeParse(email).success)
      if (wrong) refuse(`“${beginningOf(wrong, 100)}” is not an e-mail address`)
      if (emails.length > MAX_AT_ONCE) refuse(TOO_MANY)
      return emails
    }),
})
