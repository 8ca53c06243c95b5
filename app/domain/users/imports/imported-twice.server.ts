/** Rows about people who already have accounts: nothing is changed, and the differences are reported. */
import { hasAddress } from '#app/db/has-address.server.ts'
import { namesOf } from '#app/domain/fields.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import type { TableRow } from '#app/domain/tables/table.ts'
import { PERSON } from '#app/domain/users/person.ts'
import { IMPORT_LABELS, type ImportColumn } from './import.ts'
import type { ImportedPerson, ImportScope } from './import-row.server.ts'

const COMPARED = namesOf(PERSON).filter((name) => name !== 'email')

export type Imported = { person: ImportedPerson; cells: TableRow<ImportColumn>['cells'] }
type People = ReadonlyMap<string, Imported>
type Read = { columns: readonly ImportColumn[]; scope: ImportScope }

/** A sentence for each person visible to the importer; nothing is said about others. */
export async function differencesOf(
  { db }: Scope,
  people: People,
  free: ReadonlySet<string>,
  { columns, scope: { within } }: Read,
): Promise<Map<string, string>> {
  const taken = [...people.keys()].filter((email) => !free.has(email))
  if (taken.length === 0) return new Map()
  const stored = await db
    .selectFrom('users')
    .select(['id', 'email', 'activation_status', ...COMPARED])
    .where(hasAddress(...taken))
    .$if(within !== null, (query) =>
      query.where('id', 'in', (eb) =>
        eb.selectFrom('user_general_roles').select('user_id').where('sub_tenant_id', '=', within),
      ),
    )
    .execute()
  const held = await rolesOf(
    db,
    stored.map(({ id }) => id),
    within,
  )
  return new Map(
    stored.map((user): [string, string] => {
      const email = user.email.toLowerCase()
      const imported = people.get(email)
      const differs = COMPARED.filter(
        (name) => columns.includes(name) && imported?.person[name] && imported.person[name] !== user[name],
      )
      const account = imported
        ? accountDiffers(imported, user.activation_status, held.get(user.id) ?? [])
        : []
      return [email, sentenceOf([...differs, ...account])]
    }),
  )
}

type Held = ImportedPerson['roles']

async function rolesOf(db: Scope['db'], ids: readonly number[], within: string | null) {
  const held = new Map<number, Held>()
  if (ids.length === 0) return held
  const rows = await db
    .selectFrom('user_general_roles')
    .select(['user_id', 'role', 'sub_tenant_id'])
    .where('user_id', 'in', ids)
    .$if(within !== null, (query) => query.where('sub_tenant_id', '=', within))
    .execute()
  for (const { user_id, ...one } of rows)
    held.set(user_id, [...(held.get(user_id) ?? []), one as Held[number]])
  return held
}

/** Compares column by column; an empty cell is no difference. */
function accountDiffers({ person, cells }: Imported, status: string, held: Held): ImportColumn[] {
  const differs: Partial<Record<ImportColumn, boolean>> = {
    role: !isSame(person.roles, held, ({ role }) => role),
    sub_tenant: !isSame(person.roles, held, ({ sub_tenant_id }) => `${sub_tenant_id}`),
    roles: !isSame(person.roles, held, ({ role, sub_tenant_id }) => `${role}@${sub_tenant_id}`),
    activation_status: (person.activation_status === 'disabled') !== (status === 'disabled'),
  }
  return (Object.keys(differs) as ImportColumn[]).filter((name) => cells[name]?.trim() && differs[name])
}

function isSame(some: Held, others: Held, word: (one: Held[number]) => string): boolean {
  const [these, those] = [some, others].map((held) => [...new Set(held.map(word))].sort().join())
  return these === those
}

const sentenceOf = (differs: readonly ImportColumn[]): string =>
  differs.length === 0
    ? ' Nothing in the file differs.'
    : ` They stay as they are; the file differs in ${differs.map((name) => IMPORT_LABELS[name]).join(', ')}.`
