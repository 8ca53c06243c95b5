/**
 * `npm run prove:isolation [-- --sample]`: takes each guard of the program and each policy of the database away in
 * turn, and must see the matrix, or the look at the tables themselves, turn red. Says of each which of them saw it.
 */
import { createHash, randomUUID } from 'node:crypto'
import pg from 'pg'
import { EXCUSED } from './excused.ts'
import { allGuards, makeGuardsRemovable, takeAway, takeReached } from './guards.ts'

process.env.LOG_LEVEL = 'silent'
makeGuardsRemovable(process.cwd())
const isSample = process.argv.includes('--sample')
/** Every so many of them; a sample takes about a minute. */
const EVERY = isSample ? 12 : 1
/** A guard that this many cells that met it do not miss stands before another one. */
const MOST_CELLS = 300
/** The tables themselves are looked at besides. */
const MOST_CELLS_OF_A_WALL = 40

const { startTestPostgres } = await import('#tests/support/postgres.ts')
const { createTestDatabase } = await import('#tests/support/database.ts')
const { ASKING, cases, findingOf, headerCases } = await import('#tests/api/matrix-cases.ts')
const { createMatrixWorld } = await import('#tests/api/matrix-world.ts')
const { expected } = await import('#tests/api/matrix-people.ts')
const { POLICY } = await import('#tests/api/matrix-policy.ts')
const { fillWalls, lookAt, mutantsOf } = await import('./walls.ts')
type Case = import('#tests/api/matrix-cases.ts').Case

const { postgres, stop } = await startTestPostgres(process.env.DATABASE_URL)
const database = await createTestDatabase(postgres)
const bare = await createTestDatabase(postgres)
const admin = new pg.Client({ connectionString: database.adminUrl })
const bareAdmin = new pg.Client({ connectionString: bare.adminUrl })
const bareApp = new pg.Client({ connectionString: bare.appUrl })
for (const client of [admin, bareAdmin, bareApp]) await client.connect()
const failures: string[] = []
const say = (line: string) => process.stdout.write(`${line}\n`)
/** Said at once: a run that is stopped has told what it knows. */
function miss(what: string): void {
  failures.push(what)
  say(`UNSEEN ${what}`)
}

try {
  const touched = watchStatements()
  const world = await createMatrixWorld(database.app)
  const met = new Map<string, Case[]>()
  const readers = new Map<string, Case[]>()
  await measure(world, touched, met, readers)
  await removeGuards(world, met)
  await removePolicies(world, readers)
} finally {
  for (const client of [admin, bareAdmin, bareApp]) await client.end()
  await Promise.all([database.drop(), bare.drop()])
  await stop()
}
say(failures.length === 0 ? 'Nothing was taken away unseen.' : `${failures.length} were taken away unseen.`)
process.exitCode = failures.length === 0 ? 0 : 1

/** Which tables the statements name that are sent from now on. */
function watchStatements(): Set<string> {
  const touched = new Set<string>()
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const text = typeof args[0] === 'string' ? args[0] : String((args[0] as { text?: string })?.text ?? '')
    for (const [, name = ''] of text.matchAll(/\b(?:from|into|update|join) "?([a-z_]+)"?/g)) touched.add(name)
    return query.apply(this, args)
  } as typeof pg.Client.prototype.query
  return touched
}

type World = Awaited<ReturnType<typeof createMatrixWorld>>

/** With everything in place: nothing is red, and each cell says which guards it met and which tables it read. */
async function measure(
  world: World,
  touched: Set<string>,
  met: Map<string, Case[]>,
  readers: Map<string, Case[]>,
) {
  let count = 0
  for (const one of [...cases(), ...headerCases(ASKING.filter((_, index) => index % 10 === 0))]) {
    touched.clear()
    takeReached()
    const found = await findingOf(world, one)
    if (found) throw new Error(`Red before anything was taken away: ${found}`)
    for (const id of takeReached()) met.set(id, [...(met.get(id) ?? []), one])
    for (const name of touched) readers.set(name, [...(readers.get(name) ?? []), one])
    count++
  }
  say(`${count} cells, all green.`)
}

async function removeGuards(world: World, met: Map<string, Case[]>) {
  const guards = allGuards().filter((_, index) => index % EVERY === 0)
  let seen = 0
  let excused = 0
  for (const { id, kind } of guards) {
    takeAway(id)
    const found = await firstRed(world, spread(met.get(id) ?? [], MOST_CELLS))
    takeAway(null)
    if (found) seen++
    else if (EXCUSED.some(({ guard }) => id.includes(guard))) excused++
    else miss(`${kind} ${id} (${met.get(id)?.length ?? 0} cells met it)`)
  }
  say(`${guards.length} guards: the matrix misses ${seen}, ${excused} are excused in excused.ts.`)
}

async function removePolicies(world: World, readers: Map<string, Case[]>) {
  const [acme, globex, north, south, east] = [1, 2, 3, 4, 5].map(() => randomUUID())
  const places = [
    { name: 'acme-north', tenant: acme, sub: north },
    { name: 'acme-south', tenant: acme, sub: south },
    { name: 'acme-whole', tenant: acme, sub: null },
    { name: 'globex-east', tenant: globex, sub: east },
  ] as { name: string; tenant: string; sub: string | null }[]
  await prepareBare(places)
  const walls = await fillWalls(bareAdmin, places)
  const scopes = [places[2], places[0], places[3]] as typeof places
  const usual = new Map<string, string>()
  for (const table of walls.tables) usual.set(table.name, await lookAt(bareApp, walls, table, scopes))

  const mutants = (await mutantsOf(admin)).filter((_, index) => index % EVERY === 0)
  const byMatrix = new Set<string>()
  let seen = 0
  for (const { table, name, by, undo } of mutants) {
    await admin.query(by)
    const found = await firstRed(world, spread(readers.get(table) ?? [], MOST_CELLS_OF_A_WALL))
    await admin.query(undo)
    const shape = walls.tables.find((one) => one.name === table)
    let isSeen = found !== null
    if (found) byMatrix.add(table)
    if (shape) {
      await bareAdmin.query(by)
      isSeen = (await lookAt(bareApp, walls, shape, scopes)) !== usual.get(table) || isSeen
      await bareAdmin.query(undo)
    }
    if (isSeen) seen++
    else if (!EXCUSED.some(({ guard }) => name.includes(guard))) miss(`policy ${name}`)
  }
  const tables = [...new Set(mutants.map(({ table }) => table))]
  say(`${mutants.length} changes to policies of ${tables.length} tables: ${seen} seen.`)
  say(`The matrix itself misses those of: ${[...byMatrix].sort().join(', ')}.`)
  say(
    `Behind another wall, so that only the tables show it: ${tables.filter((one) => !byMatrix.has(one)).join(', ')}.`,
  )
}

async function prepareBare(places: readonly { tenant: string; sub: string | null; name: string }[]) {
  await bareAdmin.query(
    `insert into pools (id, name, kind, issuer, client_id) values ('catalogue', 'Catalogue', 'embedded', 'i', 'c')`,
  )
  for (const id of new Set(places.map(({ tenant }) => tenant)))
    await bareAdmin.query(
      `insert into tenants (id, name, pool_id) values ($1::uuid, $1::text, 'catalogue')`,
      [id],
    )
  for (const { tenant, sub, name } of places)
    if (sub)
      await bareAdmin.query('insert into sub_tenants (tenant_id, id, name) values ($1, $2, $3)', [
        tenant,
        sub,
        name,
      ])
  await bareAdmin.query('alter table fact_occurrence disable trigger user')
}

async function firstRed(world: World, some: readonly Case[]): Promise<string | null> {
  for (const one of some) {
    const found = await findingOf(world, one)
    if (found) return found
  }
  return null
}

/** Some of many, from everywhere, always the same; those that are refused first. */
function spread(some: readonly Case[], most: number): Case[] {
  const refused = (one: Case) =>
    (one.wanted ?? expected(POLICY[one.call] as never, one.who, one.where)) >= 401
  const rank = (one: Case) =>
    createHash('sha256')
      .update(`${one.call} ${one.who} ${one.where} ${JSON.stringify(one.named)}`)
      .digest('hex')
  const [first, then] = [some.filter(refused), some.filter((one) => !refused(one))].map((part) =>
    part.sort((a, b) => rank(a).localeCompare(rank(b))),
  ) as [Case[], Case[]]
  return [...first.slice(0, most), ...then.slice(0, most / 2)]
}
