/** What a file says of people who have accounts already: they stay as they are, and it is said what differs. */
import { namesOf } from '#app/domain/fields.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { PERSON } from '#app/domain/users/person.ts'
import { IMPORT_LABELS, type ImportColumn } from './import.ts'
import type { ImportedPerson, ImportScope } from './import-row.server.ts'

const COMPARED = namesOf(PERSON).filter((name) => name !== 'email')

type People = ReadonlyMap<string, { person: ImportedPerson }>
type Read = { columns: readonly ImportColumn[]; scope: ImportScope }

/** A sentence for each known to whoever imports; of others nothing is said. */
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
    .select(['id', 'email', ...COMPARED])
    .where('email', 'in', taken)
    .$if(within !== null, (query) =>
      query.where('id', 'in', (eb) =>
        eb.selectFrom('user_general_roles').select('user_id').where('sub_tenant_id', '=', within),
      ),
    )
    .execute()
  return new Map(
    stored.map((user): [string, string] => {
      const person = people.get(user.email.toLowerCase())?.person
      const differs = COMPARED.filter(
        (name) => person && columns.includes(name) && person[name] && person[name] !== user[name],
      )
      return [user.email.toLowerCase(), sentenceOf(differs)]
    }),
  )
}

const sentenceOf = (differs: readonly ImportColumn[]): string =>
  differs.length === 0
    ? ' Nothing in the file differs.'
    : ` They stay as they are; the file differs in ${differs.map((name) => IMPORT_LABELS[name]).join(', ')}.`
