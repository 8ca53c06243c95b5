/** The names of the subjects of the audit log. */
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { findInEach, type Noun } from '#app/domain/search.server.ts'
import { knownNameOf } from '#app/domain/text/full-name.server.ts'
import { likePattern } from '#app/domain/text/text.ts'

type Kind = {
  from: RawBuilder<unknown>
  name: RawBuilder<unknown>
  key: 'bigint' | 'uuid' | 'text'
  journey?: RawBuilder<unknown>
}
export type Named = { type: string; id: string; name: string | null; journey_id: number | null }

const ofLift = sql`(select l.journey_id from lifts l where l.tenant_id = t.tenant_id and l.id = t.lift_id)`

const KINDS: Record<string, Kind> = {
  user: {
    from: sql`users t`,
    name: knownNameOf('t'),
    key: 'bigint',
  },
  member: { from: sql`members t join users u on u.id = t.user_id`, name: knownNameOf('u'), key: 'bigint' },
  journey: { from: sql`journeys t`, name: sql`t.name`, key: 'bigint', journey: sql`t.id` },
  lift: { from: sql`lifts t`, name: sql`t.title`, key: 'bigint', journey: sql`t.journey_id` },
  prompt: { from: sql`prompts t`, name: sql`t.text`, key: 'bigint', journey: ofLift },
  assessment: { from: sql`assessments t`, name: sql`t.name`, key: 'bigint', journey: sql`t.journey_id` },
  tenant: { from: sql`tenants t`, name: sql`t.name`, key: 'uuid' },
  sub_tenant: { from: sql`sub_tenants t`, name: sql`t.name`, key: 'uuid' },
  file: { from: sql`files t`, name: sql`t.file_name`, key: 'uuid' },
  user_import: { from: sql`user_imports t`, name: sql`t.file_name`, key: 'uuid' },
  user_group: { from: sql`user_groups t`, name: sql`t.name`, key: 'bigint' },
  api_key: { from: sql`api_keys t`, name: sql`t.name`, key: 'bigint' },
  pool: { from: sql`pools t`, name: sql`t.name`, key: 'text' },
}

const FORM = { bigint: /^\d{1,15}$/, uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, text: /^/ }

type Subject = { subject_type: string; subject_id: string | null }

/** The current name of each subject, in one statement; deleted ones have none. */
export async function findNamed({ db }: Scope, subjects: readonly Subject[]): Promise<Named[]> {
  const ofTypes = Map.groupBy(subjects, ({ subject_type }) => subject_type)
  const parts = [...ofTypes].flatMap(([type, some]) => selectNamed(type, some) ?? [])
  if (parts.length === 0) return []
  return (await sql<Named>`${sql.join(parts, sql` union all `)}`.execute(db)).rows
}

function selectNamed(type: string, subjects: readonly Subject[]): RawBuilder<unknown> | null {
  const kind = KINDS[type]
  if (!kind) return null
  const { from, name, key, journey = sql`null` } = kind
  const ids = new Set(subjects.flatMap(({ subject_id }) => subject_id ?? []))
  const possible = [...ids].filter((id) => FORM[key].test(id))
  if (possible.length === 0) return null
  return sql`select ${type}::text as type, t.id::text as id, ${name} as name, ${journey}::bigint as journey_id
    from ${from} where t.id = any(${possible}::${sql.raw(key)}[])`
}

const NOUNS = {
  user: 'users',
  journey: 'journeys',
  lift: 'lifts',
  prompt: 'prompts',
  assessment: 'assessments',
  tenant: 'tenants',
  sub_tenant: 'sub_tenants',
  file: 'files',
  user_import: 'user_imports',
} as const satisfies Record<string, Noun>
/** Kinds with so few rows that each is looked at. */
const FEW = ['user_group', 'api_key', 'pool'] as const

/** Finds the lines whose subject has, or had, the words in its name. */
export async function searchSubjects(scope: Scope, words: string) {
  const found = await findInEach(scope, ['audited subjects', ...Object.values(NOUNS)], words)
  const isNamed = [
    sql<boolean>`e.id = any(${found.get('audited subjects')?.ids}::bigint[])`,
    ...FEW.map(
      (type) => sql<boolean>`(e.subject_type = ${type} and e.subject_id in (
        select t.id::text from ${KINDS[type]?.from} where t.name ilike ${likePattern(words)}))`,
    ),
    ...Object.entries(NOUNS).map(
      ([type, noun]) =>
        sql<boolean>`(e.subject_type = ${type} and e.subject_id = any(${found.get(noun)?.ids}::text[]))`,
    ),
  ]
  return { isNamed: sql<boolean>`(${sql.join(isNamed, sql` or `)})`, founds: [...found.values()] }
}
