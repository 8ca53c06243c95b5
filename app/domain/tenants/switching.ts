/** Switching to another tenant or sub-tenant: the choices, and the reason to be given. */
import { z } from 'zod'
import { requiredLine } from '../text/text.ts'
import { placeOf } from './switch-address.ts'
import type { TenantChoice } from './tenant.ts'

/** Why somebody of the platform enters a company: shown to its people in their audit log. */
export const Reason = requiredLine(500)

/** `tenant`, or `tenant/sub-tenant`. */
const PlaceId = z
  .string({ error: 'Choose where to go' })
  .regex(/^[\w.~-]{1,300}(\/[\w.~-]{1,300})?$/, 'Choose where to go')

export const TenantSwitchForm = z.object({ place: PlaceId, reason: Reason })
export const SubTenantSwitchForm = z.object({ place: PlaceId, reason: z.string().optional() })

/** A radio button, with its `subTenants` below it. */
export type Choice = { place: string; name: string; isActive: boolean; subTenants: Choice[] }

/** Nothing below an inactive tenant can be entered. */
export const toChoice = ({ id, name, status, sub_tenants }: TenantChoice): Choice => ({
  place: id,
  name,
  isActive: status === 'active',
  subTenants: sub_tenants.map((subTenant) => ({
    place: placeOf(id, subTenant.id),
    name: subTenant.name,
    isActive: status === 'active' && subTenant.status === 'active',
    subTenants: [],
  })),
})

/** Searches names of tenants and sub-tenants, ignoring case; a matching tenant shows all of its sub-tenants. */
export function findChoices(choices: readonly Choice[], words: string): Choice[] {
  const wanted = words.trim().toLocaleLowerCase('en')
  const isNamed = (choice: Choice) => choice.name.toLocaleLowerCase('en').includes(wanted)
  return choices.flatMap((choice) => {
    if (isNamed(choice)) return [choice]
    const subTenants = choice.subTenants.filter(isNamed)
    return subTenants.length > 0 ? [{ ...choice, subTenants }] : []
  })
}
