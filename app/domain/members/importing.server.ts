/** Participants from a table: e-mail, role, sponsor, exclude_data. All of it is done, or none. */
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { invalid } from '../errors.ts'
import { isClosed } from '../journeys/journey.ts'
import { requireEditable } from '../journeys/journeys.server.ts'
import type { Scope } from '../scope.server.ts'
import { EmailAddress } from '../text.ts'
import { changeMembers } from './changing.server.ts'
import { MEMBER_ROLES, type MembersImport, type MembersImported } from './member.ts'
import { addMembers } from './members.server.ts'
import { assignSponsors } from './sponsors.server.ts'

const MAX_ROWS = 10_000
const COLUMNS = ['email', 'role', 'sponsor', 'exclude_data']

const Row = z.object({
  email: EmailAddress,
  role: z.preprocess(
    (role) => (typeof role === 'string' && role.trim() ? role.trim().toLowerCase() : undefined),
    z.enum(MEMBER_ROLES, 'The role is learner, sponsor or facilitator').default('learner'),
  ),
  sponsor: z.preprocess((email) => (email === '' ? undefined : email), EmailAddress.optional()),
  exclude_data: z.preprocess(
    (flag) => (typeof flag === 'string' && flag.trim() ? flag.trim() : undefined),
    z.stringbool('exclude_data is yes or no').optional(),
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
    throw invalid({ csv: [`A journey that is ${journey.status} takes no new members.`] })
  const problems: Problem[] = []
  const rows = readRows(csv, problems)
  const people = await findByEmail(scope, rows)
  const members = await membersOf(scope, journeyId)
  const firstLines = new Map<string, number>()
  for (const row of rows) {
    const key = `${row.email} ${row.role}`
    if (!firstLines.has(key)) firstLines.set(key, row.line)
    problems.push(...problemsOf(row, firstLines.get(key) ?? row.line, people))
  }
  problems.sort((one, other) => one.line - other.line)

  const shown = rows.flatMap((row) => {
    const user = people.get(row.email)
    if (!user) return []
    const state = members.get(`${user.id} ${row.role}`)
    const changes = row.sponsor !== undefined || row.exclude_data !== undefined
    const outcome =
      state === undefined ? 'added' : state === 'withdrawn' ? 'returns' : changes ? 'changed' : 'same'
    return [{ line: row.line, email: row.email, name: user.name, role: row.role, outcome } as const]
  })
  const done = !dry_run && problems.length === 0
  if (done) await applyRows(scope, journeyId, rows, people)
  return { rows: shown, problems, done }
}

function readRows(csv: string, problems: Problem[]): Row[] {
  let table: { info: { lines: number }; record: Record<string, string> }[]
  try {
    table = parse(csv, {
      bom: true,
      info: true,
      trim: true,
      skip_empty_lines: true,
      delimiter: [',', ';', '\t'],
      columns: (names: string[]) =>
        names.map((name) =>
          name
            .trim()
            .toLowerCase()
            .replace(/[\s-]+/g, '_'),
        ),
    }) as unknown as typeof table
  } catch (error) {
    const { lines, message } = error as { lines?: number; message: string }
    problems.push({ line: lines ?? 1, message: `This cannot be read as a table: ${message}` })
    return []
  }
  const unknown = Object.keys(table[0]?.record ?? {}).filter((name) => !COLUMNS.includes(name))
  if (table.length === 0) problems.push({ line: 1, message: 'There is no row below the heading.' })
  else if (!('email' in (table[0]?.record ?? {})))
    problems.push({ line: 1, message: `The first line names the columns: ${COLUMNS.join(', ')}.` })
  else if (unknown.length > 0)
    problems.push({ line: 1, message: `There is no column "${unknown[0]}": ${COLUMNS.join(', ')}.` })
  if (table.length > MAX_ROWS)
    problems.push({ line: MAX_ROWS + 1, message: `At most ${MAX_ROWS} rows are taken.` })
  if (problems.length > 0) return []
  return table.flatMap(({ info, record }) => {
    const parsed = Row.safeParse(record)
    if (parsed.success) return [{ ...parsed.data, line: info.lines }]
    for (const { path, message } of parsed.error.issues)
      problems.push({ line: info.lines, message: `${path.join('.')}: ${message}` })
    return []
  })
}

type Person = { id: number; name: string; is_disabled: boolean }

async function findByEmail({ db }: Scope, rows: readonly Row[]): Promise<Map<string, Person>> {
  const emails = [...new Set(rows.flatMap((row) => [row.email, row.sponsor ?? row.email]))]
  const people = new Map<string, Person>()
  for (let start = 0; start < emails.length; start += 1000) {
    const found = await db
      .selectFrom('users')
      .select(['id', 'email', 'first_name', 'last_name', 'activation_status'])
      .where('email', 'in', emails.slice(start, start + 1000))
      .execute()
    for (const user of found)
      people.set(user.email.toLowerCase(), {
        id: user.id,
        name: `${user.first_name} ${user.last_name}`.trim() || user.email,
        is_disabled: user.activation_status === 'disabled',
      })
  }
  return people
}

async function membersOf({ db }: Scope, journeyId: number): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('members')
    .select(['user_id', 'role', 'state'])
    .where('journey_id', '=', journeyId)
    .execute()
  return new Map(rows.map((row) => [`${row.user_id} ${row.role}`, row.state]))
}

function problemsOf(row: Row, firstLine: number, people: ReadonlyMap<string, Person>): Problem[] {
  const problem = (message: string) => [{ line: row.line, message }]
  const user = people.get(row.email)
  if (!user) return problem(`${row.email} is nobody of your company; add them as a user first.`)
  if (user.is_disabled) return problem(`${row.email} is disabled.`)
  if (firstLine < row.line) return problem(`${row.email} stands in line ${firstLine} already.`)
  if (row.sponsor === undefined) return []
  if (row.role !== 'learner') return problem('Only learners have a sponsor.')
  if (row.sponsor === row.email) return problem('Nobody is their own sponsor.')
  const sponsor = people.get(row.sponsor)
  if (!sponsor || sponsor.is_disabled) return problem(`The sponsor ${row.sponsor} is nobody of your company.`)
  return []
}

async function applyRows(
  scope: Scope,
  journeyId: number,
  rows: readonly Row[],
  people: ReadonlyMap<string, Person>,
): Promise<void> {
  const idOf = (email: string) => people.get(email)?.id ?? 0
  for (const role of MEMBER_ROLES) {
    const mine = rows.filter((row) => row.role === role)
    const ids = new Map<number, number>()
    for (let start = 0; start < mine.length; start += 500) {
      const user_ids = mine.slice(start, start + 500).map((row) => idOf(row.email))
      const { data } = await addMembers(scope, journeyId, { user_ids, role, exclude_data: false }, 'csv')
      for (const member of data) ids.set(member.user_id, member.id)
    }
    await leaveOut(scope, journeyId, mine, (row) => ids.get(idOf(row.email)))
    await giveSponsors(scope, journeyId, mine, (row) => ids.get(idOf(row.email)), idOf)
  }
}

type MemberOf = (row: Row) => number | undefined

/** Those of whom the table says whether they count. */
async function leaveOut(scope: Scope, journeyId: number, rows: readonly Row[], memberOf: MemberOf) {
  for (const exclude_data of [true, false]) {
    const alike = rows.filter((row) => row.exclude_data === exclude_data)
    for (let start = 0; start < alike.length; start += 500) {
      const member_ids = alike.slice(start, start + 500).flatMap((row) => memberOf(row) ?? [])
      await changeMembers(scope, journeyId, { member_ids, exclude_data })
    }
  }
}

/** All at once: in a long table each may have another one. */
async function giveSponsors(
  scope: Scope,
  journeyId: number,
  rows: readonly Row[],
  memberOf: MemberOf,
  idOf: (email: string) => number,
) {
  const sponsored = rows.filter((row) => row.sponsor !== undefined)
  const people = [...new Set(sponsored.map((row) => idOf(row.sponsor ?? '')))]
  const sponsors = new Map<number, number>()
  for (let start = 0; start < people.length; start += 500) {
    const user_ids = people.slice(start, start + 500)
    const added = { user_ids, role: 'sponsor', exclude_data: false } as const
    for (const one of (await addMembers(scope, journeyId, added, 'csv')).data)
      sponsors.set(one.user_id, one.id)
  }
  const pairs = sponsored.flatMap((row) => {
    const [member, sponsor] = [memberOf(row), sponsors.get(idOf(row.sponsor ?? ''))]
    return member !== undefined && sponsor !== undefined ? [{ member, sponsor }] : []
  })
  await assignSponsors(scope, journeyId, pairs)
}
