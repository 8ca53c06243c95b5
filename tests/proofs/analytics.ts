/**
 * `npm run prove:analytics`: hundreds of journeys, written as rows in every state. Every view under random filters
 * must equal a separate count over the rows; sums agree; excluding people and including them again changes nothing;
 * and facts that are derived again are the same.
 */
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { foldLearners, rederiveLearners } from '#app/domain/journeys/learner-tallies.server.ts'
import { rederiveTallies } from '#app/domain/journeys/tallies.server.ts'
import { rederiveFacts } from '#app/domain/occurrences/facts.server.ts'
import type { Database, inScope } from '#app/domain/scope/scope.server.ts'
import { createWorld, type TenantsWorld } from '#tests/api/tenants/tenants-world.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'
import { startTestPostgres } from '#tests/support/postgres.ts'
import { type Asker, askAll, drawFilters } from './analytics/ask.ts'
import { type Assessed, askAssessments, drawAssessments, writeAssessments } from './analytics/assessed.ts'
import { type Book, type Filters, openBook } from './analytics/by-hand.ts'
import { type Chance, chance } from './analytics/chance.ts'
import { askExports } from './analytics/exported.ts'
import { drawRows, type RawRows } from './analytics/raw-rows.ts'
import { writeRows } from './analytics/write-rows.ts'

const JOURNEYS = Number(process.env.PROOF_JOURNEYS ?? 300)
const QUESTIONS = Number(process.env.PROOF_QUESTIONS ?? 400)
const EXPORTS = Number(process.env.PROOF_EXPORTS ?? 30)
const SEED = Number(process.env.PROOF_SEED ?? 15)
const SHOWN = 20

async function prove(): Promise<string[]> {
  const { postgres, stop } = await startTestPostgres(process.env.DATABASE_URL)
  const database = await createTestDatabase(postgres)
  const admin = new pg.Client({ connectionString: database.adminUrl })
  try {
    await admin.connect()
    return await proveIn(database, admin)
  } finally {
    await admin.end()
    await database.drop()
    await stop()
  }
}

async function proveIn(
  database: Awaited<ReturnType<typeof createTestDatabase>>,
  admin: pg.Client,
): Promise<string[]> {
  const world = await createWorld(database.app)
  const { adam, aya } = world.people
  const inAcme = inAcmeOf(() => ({ ...world, database }))
  const as =
    (who: 'adam' | 'aya' | 'nora', sub?: string): Asker['call'] =>
    async (method, path, body) => {
      const answer = await world.call(who, method, path, body, { sub: sub ?? null })
      if (answer.status >= 300) throw new Error(`${who}: ${method} ${path}: ${answer.status} ${answer.text}`)
      return answer.json
    }

  const luck = chance(SEED)
  const now = new Date()
  const users = await addLearners(admin, world.acme, world.north)
  const cast = { users, authors: [adam.user_id, aya.user_id], subs: [null, world.north, world.south], now }
  const rows = drawRows(luck, JOURNEYS, cast)
  const assessed = drawAssessments(luck, rows, now)
  await writeRows(admin, world.acme, rows)
  await writeAssessments(admin, world.acme, assessed)
  await admin.query('analyze')
  for (const { id } of rows.journeys) await inAcme((scope) => rederiveFacts(scope, id))
  while (await inAcme(foldLearners));
  const book = openBook(rows)
  const ofNorth = new Set<number | undefined>(users.filter((_, index) => index % 2 === 1))
  const everybody = () => true
  const askers: Asker[] = [
    { author: null, sub: null, call: as('adam'), knows: everybody },
    { author: aya.user_id, sub: null, call: as('aya'), knows: everybody },
    { author: null, sub: world.north, call: as('nora', world.north), knows: (user) => ofNorth.has(user) },
  ]
  const proof = { luck, rows, assessed, now, book, askers, world, worker: database.worker }
  return [
    ...(await askViews(proof)),
    ...(await askAssessed(proof)),
    ...(await takeAway(proof)),
    ...(await excludeAndInclude(proof)),
    ...(await deriveAgain(rows, inAcme)),
  ]
}

type Proof = {
  luck: Chance
  rows: RawRows
  assessed: Assessed
  now: Date
  book: Book
  askers: readonly Asker[]
  world: TenantsWorld
  worker: Database
}

/** Each asker first asks without filters, then with random ones. */
const drawnFor = ({ luck, rows, now, askers }: Proof, nth: number): { asker: Asker; filters: Filters } => {
  const asker = askers[nth % askers.length] as Asker
  return { asker, filters: nth < askers.length ? {} : drawFilters(luck, rows, asker, now) }
}

async function askViews(proof: Proof): Promise<string[]> {
  const { luck, rows, book } = proof
  const differences: string[] = []
  for (let nth = 0; nth < QUESTIONS; nth++) {
    const { asker, filters } = drawnFor(proof, nth)
    differences.push(...(await askAll(asker, book, filters, luck)))
  }
  process.stdout.write(
    `${rows.journeys.length} journeys, ${rows.occurrences.length} occurrences, ${rows.dispatches.length} messages, ${rows.responses.length} answers; ${QUESTIONS} questions in every view.\n`,
  )
  return differences
}

async function askAssessed(proof: Proof): Promise<string[]> {
  const { rows, assessed } = proof
  const differences: string[] = []
  let compared = 0
  for (let nth = 0; nth < Math.min(QUESTIONS, 60); nth++) {
    const { asker, filters } = drawnFor(proof, nth)
    const { journey, lo_id, as_of } = filters
    const isOne = !journey || rows.objectives.some((one) => one.id === lo_id && one.journey_id === journey)
    const asked = { ...(journey && { journey }), ...(lo_id && isOne && { lo_id }), ...(as_of && { as_of }) }
    const said = await askAssessments(asker, { rows, assessed, asked })
    differences.push(...said.differences)
    compared += said.compared
  }
  process.stdout.write(`${assessed.forms.length} assessments; ${compared} comparisons of five and more.\n`)
  return differences
}

async function takeAway(proof: Proof): Promise<string[]> {
  const { luck, rows, book, now, world, worker } = proof
  const differences: string[] = []
  const taken = { files: 0, rows: 0 }
  for (let nth = 0; nth < EXPORTS; nth++) {
    const { asker, filters } = drawnFor(proof, nth)
    const who = (['adam', 'aya', 'nora'] as const)[nth % 3] ?? 'adam'
    const drawn = { luck, rows, turns: book.assigned(asker, {}, now) }
    const asked = { ...filters, as_of: filters.as_of ?? now }
    const found = await askExports(asker, { who, sub: asker.sub, world, worker }, asked, drawn)
    differences.push(...found.differences)
    taken.files += found.files
    taken.rows += found.rows
  }
  process.stdout.write(`${taken.files} files with ${taken.rows} rows, as the screens have them.\n`)
  return differences
}

async function excludeAndInclude({ luck, rows, book, askers }: Proof): Promise<string[]> {
  const [asker] = askers as [Asker]
  const differences: string[] = []
  const read = async () => ({ ...(await asker.call('GET', '/analytics/overview')), as_of: '' })
  const before = await read()
  for (let nth = 0; nth < 20; nth++) {
    const member = luck.one(rows.members.filter((one) => one.role === 'learner'))
    const { journey_id: journey, id } = member
    const change = (exclude_data: boolean) =>
      asker.call('PATCH', `/lljs/${journey}/members`, { member_ids: [id], exclude_data })
    const without = rows.members.map((one) => (one === member ? { ...one, exclude_data: true } : one))
    await change(true)
    differences.push(...(await askAll(asker, openBook({ ...rows, members: without }), { journey }, luck)))
    await change(member.exclude_data)
    differences.push(...(await askAll(asker, book, { journey }, luck)))
  }
  if (!isDeepStrictEqual(await read(), before))
    differences.push('Excluding and including again changed the overview.')
  return differences
}

type InAcme = <Result>(work: Parameters<typeof inScope<Result>>[2]) => Promise<Result>

async function deriveAgain(rows: RawRows, inAcme: InAcme): Promise<string[]> {
  const wrong = await inAcme((scope) => rederiveFacts(scope))
  const differences = wrong > 0 ? [`${wrong} facts changed when they were derived again.`] : []
  for (const { id } of rows.journeys) {
    const off = await inAcme((scope) => rederiveTallies(scope, id))
    if (off > 0) differences.push(`Journey ${id}: ${off} sums were wrong.`)
  }
  const people = await inAcme(rederiveLearners)
  if (people > 0) differences.push(`${people} people or sums of people were wrong.`)
  return differences
}

async function addLearners(admin: pg.Client, tenant: string, sub: string): Promise<number[]> {
  const { rows } = await admin.query(
    `insert into users (tenant_id, email, first_name, last_name, activation_status)
     select $1, 'learner' || n || '@proof.example', 'Learner', n::text, 'active' from generate_series(1, 60) n
     returning id::int`,
    [tenant],
  )
  const users: number[] = rows.map((row) => row.id)
  await admin.query(
    `insert into user_general_roles (tenant_id, user_id, role, sub_tenant_id)
     select $1, id, 'user', $2 from unnest($3::bigint[]) with ordinality as one (id, n) where n % 2 = 0`,
    [tenant, sub, users],
  )
  return users
}

const differences = await prove()
for (const one of differences.slice(0, SHOWN)) process.stdout.write(`${one}\n`)
if (differences.length > SHOWN) process.stdout.write(`and ${differences.length - SHOWN} more\n`)
process.stdout.write(
  differences.length === 0 ? 'Every figure is what is counted by hand.\n' : 'Figures differ.\n',
)
process.exitCode = differences.length === 0 ? 0 : 1
