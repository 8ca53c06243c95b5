/**
 * `npm run prove:analytics`: hundreds of journeys, written as rows in every state. What each view says under filters
 * that fall by chance is what is counted by hand over the rows; sums agree; who is excluded and included again
 * changes nothing; and facts that are derived again are the same.
 */
import pg from 'pg'
import { rederiveTallies } from '#app/domain/journeys/tallies.server.ts'
import { rederiveFacts } from '#app/domain/occurrences/facts.server.ts'
import { inScope, systemActor } from '#app/domain/scope.server.ts'
import { createWorld } from '#tests/api/tenants-world.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { startTestPostgres } from '#tests/support/postgres.ts'
import { type Asker, askAll, drawFilters } from './analytics/ask.ts'
import { askAssessments, drawAssessments, writeAssessments } from './analytics/assessed.ts'
import { type Filters, openBook } from './analytics/by-hand.ts'
import { chance } from './analytics/chance.ts'
import { askExports } from './analytics/exported.ts'
import { drawRows } from './analytics/raw-rows.ts'
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
  const inAcme = <Result>(work: Parameters<typeof inScope<Result>>[2]) =>
    inScope(database.app, systemActor(world.acme), work)
  const as =
    (who: 'adam' | 'aya' | 'nora', sub?: string): Asker['call'] =>
    async (method, path, body) => {
      const answer = await world.call(who, method, path, body, { sub: sub ?? null })
      if (answer.status >= 300) throw new Error(`${who}: ${method} ${path}: ${answer.status} ${answer.text}`)
      return answer.json
    }

  const luck = chance(SEED)
  const now = new Date()
  const users = await addLearners(admin, world.acme)
  const cast = { users, authors: [adam.user_id, aya.user_id], subs: [null, world.north, world.south], now }
  const rows = drawRows(luck, JOURNEYS, cast)
  const assessed = drawAssessments(luck, rows, now)
  await writeRows(admin, world.acme, rows)
  await writeAssessments(admin, world.acme, assessed)
  await admin.query('analyze')
  for (const { id } of rows.journeys) await inAcme((scope) => rederiveFacts(scope, id))
  const book = openBook(rows)
  const askers: Asker[] = [
    { author: null, sub: null, call: as('adam') },
    { author: aya.user_id, sub: null, call: as('aya') },
    { author: null, sub: world.north, call: as('nora', world.north) },
  ]
  const differences: string[] = []
  for (let nth = 0; nth < QUESTIONS; nth++) {
    const asker = askers[nth % askers.length] as Asker
    const filters: Filters = nth < askers.length ? {} : drawFilters(luck, rows, asker, now)
    differences.push(...(await askAll(asker, book, filters)))
  }
  process.stdout.write(
    `${rows.journeys.length} journeys, ${rows.occurrences.length} occurrences, ${rows.dispatches.length} messages, ${rows.responses.length} answers; ${QUESTIONS} questions in three views.\n`,
  )

  const said = await askAssessments(askers[0] as Asker, rows, assessed)
  differences.push(...said.differences)
  process.stdout.write(
    `${assessed.forms.length} assessments; ${said.compared} comparisons of five and more.\n`,
  )

  // What is taken away.
  const taken = { files: 0, rows: 0 }
  for (let nth = 0; nth < EXPORTS; nth++) {
    const who = (['adam', 'aya', 'nora'] as const)[nth % 3] ?? 'adam'
    const asker = askers[nth % 3] as Asker
    const filters = nth < 3 ? {} : drawFilters(luck, rows, asker, now)
    const reading = { who, sub: asker.sub, world, worker: database.worker }
    const found = await askExports(asker, reading, { ...filters, as_of: filters.as_of ?? now })
    differences.push(...found.differences)
    taken.files += found.files
    taken.rows += found.rows
  }
  process.stdout.write(`${taken.files} files with ${taken.rows} rows, as the screens have them.\n`)

  // Excluding and including again.
  const [asker] = askers as [Asker]
  const before = await asker.call('GET', '/analytics/overview')
  for (let nth = 0; nth < 20; nth++) {
    const member = luck.one(rows.members.filter((one) => one.role === 'learner'))
    const change = (exclude_data: boolean) =>
      asker.call('PATCH', `/lljs/${member.journey_id}/members`, { member_ids: [member.id], exclude_data })
    const excluded = {
      ...rows,
      members: rows.members.map((one) => (one === member ? { ...one, exclude_data: true } : one)),
    }
    await change(true)
    differences.push(...(await askAll(asker, openBook(excluded), { journey: member.journey_id })))
    await change(member.exclude_data)
    differences.push(...(await askAll(asker, book, { journey: member.journey_id })))
  }
  const after = await asker.call('GET', '/analytics/overview')
  if (JSON.stringify({ ...after, as_of: '' }) !== JSON.stringify({ ...before, as_of: '' }))
    differences.push('Excluding and including again changed the overview.')

  // Derived again.
  const wrong = await inAcme((scope) => rederiveFacts(scope))
  if (wrong > 0) differences.push(`${wrong} facts changed when they were derived again.`)
  for (const { id } of rows.journeys) {
    const off = await inAcme((scope) => rederiveTallies(scope, id))
    if (off > 0) differences.push(`Journey ${id}: ${off} sums were wrong.`)
  }
  return differences
}

async function addLearners(admin: pg.Client, tenant: string): Promise<number[]> {
  const { rows } = await admin.query(
    `insert into users (tenant_id, email, first_name, last_name, activation_status)
     select $1, 'learner' || n || '@proof.example', 'Learner', n::text, 'active' from generate_series(1, 60) n
     returning id::int`,
    [tenant],
  )
  return rows.map((row) => row.id)
}

const differences = await prove()
for (const one of differences.slice(0, SHOWN)) process.stdout.write(`${one}\n`)
if (differences.length > SHOWN) process.stdout.write(`and ${differences.length - SHOWN} more\n`)
process.stdout.write(
  differences.length === 0 ? 'Every figure is what is counted by hand.\n' : 'Figures differ.\n',
)
process.exitCode = differences.length === 0 ? 0 : 1
