/** The roles of a person in one cell of a file: `admin@Northwind Europe|user`. Without a place, the whole company. */
import { USER_ROLES } from './user.ts'

type Role = (typeof USER_ROLES)[number]
export type RoleHeld = { role: Role; subTenant: string | null }

/** Marks somebody without any role; an empty cell would mean "not given". */
const NONE = 'none'

export function writeRoles(roles: readonly RoleHeld[]): string {
  if (roles.length === 0) return NONE
  return roles
    .map(({ role, subTenant }) =>
      subTenant === null ? role : `${role}@${subTenant.replace(/[\\|]/g, '\\$&')}`,
    )
    .join('|')
}

/** Null for an empty cell; an error message if it cannot be read. */
export function readRoles(cell: string): RoleHeld[] | string | null {
  const words = (cell.match(/(?:\\.|[^\\|])+/gs) ?? []).map((word) => word.trim()).filter(Boolean)
  if (words.length === 0) return null
  if (words.length === 1 && words[0]?.toLowerCase() === NONE) return []
  const roles: RoleHeld[] = []
  for (const word of words) {
    const [name = '', ...rest] = word.split('@')
    const role = USER_ROLES.find((known) => known === name.trim().toLowerCase())
    if (!role) return `A role is one of ${USER_ROLES.join(', ')}, with @ and its sub-tenant behind it`
    const subTenant = rest.length > 0 ? rest.join('@').replace(/\\(.)/gs, '$1').trim() : null
    roles.push({ role, subTenant })
  }
  return roles
}
