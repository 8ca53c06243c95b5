/** Ways to add people without naming each of them. */
import { z } from 'zod'

/** Everybody with a role, of a sub-tenant or of a saved group; with several of these, people who match all. */
export const Group = z.strictObject({
  general_role: z.enum(['admin', 'author', 'user']).optional(),
  sub_tenant_id: z.uuid().optional(),
  group_id: z.number().int().positive().optional(),
})
export type Group = z.infer<typeof Group>
