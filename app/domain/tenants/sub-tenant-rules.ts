/** The rules that a sub-tenant can set differently from its tenant. Null: the tenant's. */
import { z } from 'zod'
import { QuietHours } from '../hours/quiet-hours.ts'
import { TenantSettings } from './tenant.ts'

const NOT_LESS =
  'A sub-tenant can require a second factor where its company does not, not the other way around.'

export const SubTenantRulesInput = z.object({
  authors_may_create_drafts: z.boolean().nullable().optional(),
  admins_need_second_factor: z.literal(true, { error: NOT_LESS }).nullable().optional(),
  quiet_hours: QuietHours.nullable().optional(),
})
export type SubTenantRulesInput = z.infer<typeof SubTenantRulesInput>

/** Splits rules, which are stored together as settings, from the columns of the sub-tenant. */
export function takeRules<Input extends SubTenantRulesInput>(input: Input) {
  const { authors_may_create_drafts, admins_need_second_factor, quiet_hours, ...columns } = input
  return { columns, rules: { authors_may_create_drafts, admins_need_second_factor, quiet_hours } }
}

/** A sub-tenant's own rules, and the tenant's for those that are null. */
export const SubTenantRules = z.object({
  authors_may_create_drafts: z.boolean().nullable(),
  admins_need_second_factor: z.literal(true).nullable(),
  quiet_hours: z.object({ from: z.string(), to: z.string() }).nullable(),
})
export type SubTenantRules = z.infer<typeof SubTenantRules>

export const CommonRules = TenantSettings.pick({
  authors_may_create_drafts: true,
  admins_need_second_factor: true,
  quiet_hours: true,
})
export type CommonRules = z.infer<typeof CommonRules>

const OwnHours = z
  .object({
    of: z.enum(['company', 'own'], { error: 'Please choose one' }),
    from: z.string().optional(),
    to: z.string().optional(),
  })
  .transform(({ of, from, to }, context): QuietHours | null => {
    if (of === 'company') return null
    const { data, error } = QuietHours.safeParse({ from, to })
    for (const issue of error?.issues ?? []) context.issues.push({ ...issue, input: { from, to } } as never)
    return data ?? z.NEVER
  })

export const SubTenantRulesForm = z.object({
  quiet_hours: OwnHours.optional(),
  admins_need_second_factor: z
    .enum(['company', 'yes'])
    .transform((choice) => (choice === 'yes' ? true : null))
    .optional(),
  authors_may_create_drafts: z
    .enum(['company', 'yes', 'no'])
    .transform((choice) => (choice === 'company' ? null : choice === 'yes'))
    .optional(),
})
