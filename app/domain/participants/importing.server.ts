/** Imports participants from a table with e-mail, role, sponsor and exclude_data: all rows or none. */

import { sql } from 'kysely'
import { z } from 'zod'
import { hasAddress } from '#app/db/has-address.server.ts'
import { placeOf } from '#app/domain/access/actor.ts'
import { nameOrEmail } from '#app/domain/text/full-name.ts'
import { invalid } from '../errors.ts'
import { isClosed } from '../journeys/journey-status.ts'
import { requireEditable } from '../journeys/journeys.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { checkRow } from '../tables/check-row.ts'
import { openTable } from '../tables/read-table.server.ts'
import { UnreadableTable } from '../tables/table.ts'
import { EmailAddress } from '../text/text.ts'
import { applyRows } from './applying.server.ts'
import { foresee, type Held } from './import-foresight.ts'
import { MEMBER_ROLES, type MembersImport, type MembersImported, PARTICIPANTS_TABLE } from './member.ts'
import { sponsorName } from './sponsor-name.server.ts'

const Row = z.object({
  email: EmailAddress,
  role: z.preprocess(
    (role) => (typeof role === 'string' && role.trim() ? role.trim().toLowerCase() : undefined),
    z.enum(MEMBER_ROLES, 'Please write learner, sponsor or facilitator').default('learner'),
  ),
  sponsor: z.preprocess((email) => (email === '' ? undefined : email), EmailAddress.optional()),
  exclude_data: z.preprocess(
    (flag) => (typeof flag === 'string' && flag.trim() ? flag.trim() : undefined),
    z.stringbool('Please write yes or no').optional(),
  ),
})
type Row = z.infer<typeof Row> & { line: number }
type Problem = MembersImported['problems'][number]

export async function importMembers(
  scope: Scope,
  journeyId: number,
  { csv, dry_run }: MembersImport,
): Promise<MembersImported> {
  const journey = await requireEditable(scope, journeyId)
  if (isClosed(journey.status))
    throw invalid({ csv: [`You can’t add participants to a journey that is ${journey.status}.`] })
  const { rows, problems } = await readRows(csv)
  const people = await findByEmail(scope, rows)
  const members = await membersOf(scope, journeyId, people)
  const firstLines = new Map<string, number>()
  for (const row of rows) {
    const key = `${row.email} ${row.role}`
    if (!firstLines.has(key)) firstLines.set(key, row.line)
    problems.push(...problemsOf(row, firstLines.get(key) ?? row.line, people, placeOf(scope.actor)))
  }
  problems.sort((one, other) => one.line - other.line)

  const shown = rows.flatMap((row) => {
    const user = people.get(row.email)
    if (!user) return []
    const sponsor = row.sponsor === undefined ? undefined : people.get(row.sponsor)?.name
    const { role, exclude_data, line, email } = row
    const { outcome, changes } = foresee({ role, sponsor, exclude_data }, members.get(user.id) ?? [])
    return [{ line, email, name: user.name, role, outcome, changes }]
  })
  const joining_sponsors = joiningSponsors(rows, people, members)
  const done = !dry_run && problems.length === 0
  if (done) await applyRows(scope, journeyId, rows, people)
  return { rows: shown, joining_sponsors, problems, done }
}

function joiningSponsors(
  rows: readonly Row[],
  people: ReadonlyMap<string, Person>,
  members: ReadonlyMap<number, Held[]>,
): string[] {
  const listed = new Set(rows.filter(({ role }) => role === 'sponsor').map(({ email }) => email))
  const named = new Set(rows.flatMap(({ sponsor }) => (sponsor && !listed.has(sponsor) ? [sponsor] : [])))
  return [...named].flatMap((email) => {
    const person = people.get(email)
    const held = members.get(person?.id ?? 0) ?? []
    const isThere = held.some(({ role, isGone }) => role === 'sponsor' && !isGone)
    return person && !isThere ? [person.name] : []
  })
}

/** A table that cannot be read completely has no rows, so that no half of it is imported. */
async function readRows(csv: string): Promise<{ rows: Row[]; problems: Problem[] }> {
  const rows: Row[] = []
  const problems: Problem[] = []
  try {
    for await (const row of openTable(csv, PARTICIPANTS_TABLE).rows()) {
      const { said, faults = [] } = checkRow(row, Row, PARTICIPANTS_TABLE)
      if (said) rows.push({ ...said, line: row.line })
      problems.push(...faults.map(({ error }) => ({ line: row.line, message: error })))
    }
    return { rows, problems }
  } catch (error) {
    if (!(error instanceof UnreadableTable)) throw error
    return { rows: [], problems: [{ line: error.line, message: error.message }] }
  }
}

type Person = { id: number; name: string; is_disabled: boolean }

async function findByEmail({ db }: Scope, rows: readonly Row[]): Promise<Map<string, Person>> {
  const emails = [...new Set(rows.flatMap((row) => [row.email, row.sponsor ?? row.email]))]
  const people = new Map<string, Person>()
  for (let start = 0; start < emails.length; start += 1000) {
    const found = await db
      .selectFrom('users')
      .select(['id', 'email', 'first_name', 'last_name', 'activation_status'])
      .where(hasAddress(...emails.slice(start, start + 1000)))
      .execute()
    for (const user of found)
      people.set(user.email.toLowerCase(), {
        id: user.id,
        name: nameOrEmail(user),
        is_disabled: user.activation_status === 'disabled',
      })
  }
  return people
}

/** Reads only members named in the table: a journey may have a hundred thousand others. */
async function membersOf(
  { db }: Scope,
  journeyId: number,
  people: ReadonlyMap<string, Person>,
): Promise<Map<number, Held[]>> {
  const ids = [...people.values()].map(({ id }) => id)
  const rows = await db
    .selectFrom('members as m')
    .leftJoin('members as sm', 'sm.id', 'm.sponsor_id')
    .leftJoin('users as su', 'su.id', 'sm.user_id')
    .select(['m.user_id', 'm.role', 'm.state', 'm.exclude_data', 'm.sponsor_id'])
    .select(['su.email', 'su.first_name', 'su.last_name'])
    .where('m.journey_id', '=', journeyId)
    .where(sql<boolean>`m.user_id = any(${ids}::bigint[])`)
    .execute()
  const members = new Map<number, Held[]>()
  for (const { user_id, role, state, exclude_data, sponsor_id, ...sponsor } of rows)
    members.set(user_id, [
      ...(members.get(user_id) ?? []),
      { role, isGone: state === 'withdrawn', exclude_data, sponsor: sponsorName(sponsor_id, sponsor) },
    ])
  return members
}

function problemsOf(
  row: Row,
  firstLine: number,
  people: ReadonlyMap<string, Person>,
  place: string,
): Problem[] {
  const problem = (message: string) => [{ line: row.line, message }]
  const user = people.get(row.email)
  if (!user) return problem(`${row.email} is not in ${place}; add them as a user first.`)
  if (user.is_disabled) return problem(`${row.email} is deactivated.`)
  if (firstLine < row.line) return problem(`${row.email} is in line ${firstLine} already.`)
  if (row.sponsor === undefined) return []
  if (row.role !== 'learner') return problem('Only learners have a sponsor.')
  if (row.sponsor === row.email) return problem('A person cannot be their own sponsor.')
  const sponsor = people.get(row.sponsor)
  if (!sponsor || sponsor.is_disabled) return problem(`The sponsor ${row.sponsor} is not in ${place}.`)
  return []
}
