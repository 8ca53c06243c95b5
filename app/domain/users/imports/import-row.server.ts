/** Converts a row of a file into a person with roles, or into its errors. */
import { z } from 'zod'
import type { GeneralRole } from '#app/domain/access/actor.ts'
import { checkRow, ofColumn } from '#app/domain/tables/check-row.ts'
import type { TableRow } from '#app/domain/tables/table.ts'
import { beginningOf } from '#app/domain/text/beginning.ts'
import { type RoleHeld, readRoles } from '#app/domain/users/role-cell.ts'
import { USER_ROLES } from '#app/domain/users/user.ts'
import { PERSON_INPUT } from '#app/domain/users/user-input.ts'
import { IMPORT_LABELS, IMPORT_TEMPLATE, type ImportColumn, PEOPLE_TABLE, type RowError } from './import.ts'

const Roles = z
  .string()
  .transform((cell) => wordsOf(cell).map((word) => word.toLowerCase()))
  .pipe(
    z.array(
      z.enum(USER_ROLES, {
        error: ({ input }) => `${quoted(String(input))} is not one of ${USER_ROLES.join(', ')}`,
      }),
    ),
  )

const Row = z.object({
  ...PERSON_INPUT,
  role: Roles.default([]),
  sub_tenant: z.string().default(''),
  roles: z.string().default(''),
  // "Disabled" in the words of the screens or of the API stays so; everybody else is invited.
  activation_status: z
    .string()
    .transform((word): 'invited' | 'disabled' =>
      ['deactivated', 'disabled'].includes(word.trim().toLowerCase()) ? 'disabled' : 'invited',
    )
    .default('invited'),
})

export type ImportedPerson = Omit<z.infer<typeof Row>, 'role' | 'sub_tenant' | 'roles'> & {
  roles: Pick<GeneralRole, 'role' | 'sub_tenant_id'>[]
}

/** `subTenants`: ids by lower-case names. `within`: the sub-tenant that everybody has to belong to. */
export type ImportScope = { subTenants: ReadonlyMap<string, string>; within: string | null }
type Read = { row: number; email: string; person: ImportedPerson | null; errors: RowError[] }

export function readRow(table: TableRow<ImportColumn>, scope: ImportScope): Read {
  const row = table.line
  const email = beginningOf(table.cells.email ?? '', 254)
  const { said, faults } = checkRow(table, Row, PEOPLE_TABLE, explaining(table.cells))
  if (!said) return { row, email, person: null, errors: faults.map((fault) => ({ row, ...fault })) }
  const wrong = (column: ImportColumn, why: string): Read => {
    const errors = [{ row, field: column, error: ofColumn(IMPORT_LABELS[column], why) }]
    return { row, email, person: null, errors }
  }
  const { role, sub_tenant, roles: cell, ...person } = said
  const placed = readRoles(cell)
  if (typeof placed === 'string') return wrong('roles', placed)
  if (placed && (role.length > 0 || sub_tenant.trim() !== ''))
    return wrong('roles', 'Use either this column, or Role and Sub-tenant')
  const roles = placed ? placedRoles(placed, scope) : everywhere(role, sub_tenant, scope)
  if (typeof roles === 'string') return wrong(placed ? 'roles' : 'sub_tenant', roles)
  return { row, email: person.email, person: { ...person, roles }, errors: [] }
}

/** What a spreadsheet makes of a phone number: 34600111222, or 3.46E+10. */
const NUMBER = /^[1-9][\d.,]{0,16}(E\+?\d+)?$/i
const LOST_PLUS = 'with its +: spreadsheets drop it, unless the cell is formatted as text'

/** For some cells the message shows how to write them. */
const explaining =
  (cells: TableRow<ImportColumn>['cells']) =>
  ({ code, message, path: [column] }: z.core.$ZodIssue): string => {
    const isShown =
      column === 'mobile_phone' || column === 'timezone' || (column === 'email' && code === 'invalid_format')
    if (!isShown) return message
    const like = `Write it like ${IMPORT_TEMPLATE[column]}`
    return column === 'mobile_phone' && NUMBER.test(cells.mobile_phone ?? '') ? `${like}, ${LOST_PLUS}` : like
  }

type Held = ImportedPerson['roles']

function placedRoles(placed: readonly RoleHeld[], { subTenants, within }: ImportScope): Held | string {
  const roles: Held = []
  for (const { role, subTenant } of placed) {
    const id = subTenant === null ? within : subTenants.get(subTenant.toLowerCase())
    if (id === undefined) return noSuchSubTenant(subTenant ?? '', within)
    roles.push({ role, sub_tenant_id: id })
  }
  return roles
}

/** With several roles and several sub-tenants, these two columns cannot say which belongs to which. */
function everywhere(role: readonly Held[number]['role'][], cell: string, scope: ImportScope): Held | string {
  const subTenants = subTenantsOf(cell, scope)
  if (typeof subTenants === 'string') return subTenants
  if (role.length > 1 && subTenants.length > 1)
    return 'Several roles in several sub-tenants are written in the column Roles: admin@Here|user@There'
  const held = role.length > 0 ? role : (['user'] as const)
  return subTenants.flatMap((sub_tenant_id) => held.map((one) => ({ role: one, sub_tenant_id })))
}

const quoted = (words: string): string => `“${beginningOf(words, 60)}”`
const noSuchSubTenant = (name: string, within: string | null) =>
  within === null
    ? `There is no sub-tenant called ${quoted(name)}`
    : `People are imported only into the sub-tenant you are in, not into ${quoted(name)}`

function subTenantsOf(cell: string, { subTenants, within }: ImportScope): (string | null)[] | string {
  const names = wordsOf(cell)
  if (names.length === 0) return [within]
  const ids = names.map((name) => subTenants.get(name.toLowerCase()))
  const unknown = names.find((_, at) => ids[at] === undefined)
  return unknown === undefined ? ids.map((id) => id ?? null) : noSuchSubTenant(unknown, within)
}

/** Several values in one cell are separated by a bar. */
const wordsOf = (cell: string): string[] =>
  cell
    .split('|')
    .map((word) => word.trim())
    .filter(Boolean)
