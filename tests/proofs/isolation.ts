/**
 * `npm run prove:isolation`: removes each guard of the program and each policy of the database in turn; the matrix,
 * another test, or the check of the tables themselves must then fail. `-- --sample` takes a part of both; `-- users/
 * tokens.server.ts` only the guards whose place or words contain one of these.
 */
import { createHash } from 'node:crypto'
import pg from 'pg'
import { createElsewhere } from './elsewhere.ts'
import { allGuards, type Guard, makeGuardsRemovable, takeAway, takeReached } from './guards.ts'

process.env.LOG_LEVEL = 'silent'
makeGuardsRemovable(process.cwd())
/** A sample takes every twelfth. */
const EVERY = process.argv.includes('--sample') ? 12 : 1
const NAMED = process.argv.slice(2).filter((word) => !word.startsWith('--'))
/** After this many cells that reach a guard without noticing its removal, it counts as covered by another guard. */
const MAX_CELLS = 300
/** The API checks who may make a call; most of the domain checks again for itself. */
const DOORS = 'app/api/guards.server.ts'

const { startTestPostgres } = await import('#tests/support/postgres.ts')
const { createTestDatabase } = await import('#tests/support/database.ts')
const { ASKING, cases, findingOf, headerCases, inputCases } = await import(
  '#tests/api/isolation/matrix-cases.ts'
)
const { aloneAlways, holderCases, listCases } = await import('#tests/api/isolation/matrix-holders.ts')
const { callsWithInput } = await import('#tests/api/isolation/matrix-router.ts')
const { createMatrixWorld } = await import('#tests/api/isolation/matrix-world.ts')
const { expected } = await import('#tests/api/isolation/matrix-people.ts')
const { POLICY } = await import('#tests/api/isolation/matrix-policy.ts')
const { changesToPolicies } = await import('#tests/api/isolation/wall-changes.ts')
const { breaches, buildWalls } = await import('#tests/api/isolation/wall-world.ts')
type Case = import('#tests/api/isolation/matrix-cases.ts').Case
type World = Awaited<ReturnType<typeof createMatrixWorld>>

const { postgres, stop } = await startTestPostgres(process.env.DATABASE_URL)
const database = await createTestDatabase(postgres)
const bare = await createTestDatabase(postgres)
const bareAdmin = new pg.Client({ connectionString: bare.adminUrl })
await bareAdmin.connect()
const elsewhere = createElsewhere(postgres.adminUrl)
const failures: string[] = []
const say = (line: string) => process.stdout.write(`${line}\n`)
/** Printed at once, so that an aborted run has reported what it knows. */
function miss(what: string): void {
  failures.push(what)
  say(`UNSEEN ${what}`)
}

try {
  if (NAMED.length === 0) await removePolicies()
  const world = await createMatrixWorld(database.app)
  await removeGuards(world, await measure(world))
} finally {
  await bareAdmin.end()
  await Promise.all([database.drop(), bare.drop()])
  await stop()
}
say(failures.length === 0 ? 'Nothing was taken away unseen.' : `${failures.length} were taken away unseen.`)
process.exitCode = failures.length === 0 ? 0 : 1

/** With every guard in place nothing fails, and each cell records which guards it reached. */
async function measure(world: World): Promise<Map<string, Case[]>> {
  const met = new Map<string, Case[]>()
  const { withBody, withQuery } = await callsWithInput()
  const headers = headerCases(
    ASKING.filter((_, index) => index % 10 === 0),
    1,
  )
  const inputs = inputCases([...withBody, ...withQuery], 'unknown fields', 1)
  let count = 0
  for (const one of [...cases(), ...headers, ...inputs, ...holderCases(aloneAlways), ...listCases()]) {
    takeReached()
    const found = await findingOf(world, one)
    if (found) throw new Error(`Red before anything was taken away: ${found}`)
    for (const id of takeReached()) met.set(id, [...(met.get(id) ?? []), one])
    count++
  }
  say(`${count} cells, all green.`)
  return met
}

async function removeGuards(world: World, met: Map<string, Case[]>) {
  const guards = allGuards()
    .filter(({ id }) => NAMED.length === 0 || NAMED.some((word) => id.includes(word)))
    .filter((_, index) => index % EVERY === 0)
  const seen = { matrix: 0, behind: 0, elsewhere: 0 }
  const metBehind = await measureBehindDoors(world)
  for (const guard of guards) {
    const cells = met.get(guard.id) ?? []
    const by = await whatMisses(guard, world, cells, metBehind.get(guard.id) ?? [])
    if (by) seen[by]++
    else miss(`${guard.kind} ${guard.id} (${cells.length} cells met it)`)
  }
  say(
    `${guards.length} guards: the matrix misses ${seen.matrix}, and ${seen.behind} where no call has a door; ` +
      `tests of their own miss ${seen.elsewhere}.`,
  )
}

function doors(): string[] {
  return allGuards().flatMap(({ file, id }) => (file === DOORS ? [id] : []))
}

/** Records which guards still refuse when the API's own are removed. Cells that fail then are no finding. */
async function measureBehindDoors(world: World): Promise<Map<string, Case[]>> {
  const met = new Map<string, Case[]>()
  takeAway(...doors())
  for (const one of [...cases(), ...listCases()].filter(isRefused)) {
    takeReached()
    const found = await findingOf(world, one)
    const ids = takeReached()
    if (!found) for (const id of ids) met.set(id, [...(met.get(id) ?? []), one])
  }
  takeAway()
  return met
}

async function whatMisses(
  guard: Guard,
  world: World,
  some: readonly Case[],
  behind: readonly Case[],
): Promise<'matrix' | 'behind' | 'elsewhere' | null> {
  takeAway(guard.id)
  // In one sample, cells of people with one role would be rare among those of people with several.
  const plain = spread(some.filter(({ holder }) => !holder))
  const found = await firstRed(world, [...plain, ...spread(some.filter(({ holder }) => holder))])
  takeAway(guard.id, ...doors())
  const foundBehind = !found && (await firstRed(world, spread(behind)))
  takeAway()
  if (found) return 'matrix'
  if (foundBehind) return 'behind'
  const red = await elsewhere.firstRed(guard.id)
  if (red) say(`${guard.id}: ${red.name}`)
  return red ? 'elsewhere' : null
}

async function removePolicies() {
  const walls = await buildWalls(bareAdmin)
  const changes = (await changesToPolicies(bareAdmin)).filter((_, index) => index % EVERY === 0)
  let seen = 0
  for (const { table, command, name, by } of changes) {
    const wall = walls.find((one) => one.table === table)
    if (wall && (await breaches(bareAdmin, wall, by, command)).length > 0) seen++
    else miss(`policy ${name}`)
  }
  say(`${changes.length} changes to the policies of ${walls.length} tables: ${seen} seen.`)
}

async function firstRed(world: World, some: readonly Case[]): Promise<string | null> {
  for (const one of some) {
    const found = await findingOf(world, one)
    if (found) return found
  }
  return null
}

function isRefused(one: Case): boolean {
  return (one.wanted ?? expected(one.call, POLICY[one.call] as never, one.who, one.where)) >= 401
}

/** A deterministic selection of cells from everywhere; refused ones first. */
function spread(some: readonly Case[]): Case[] {
  const rank = (one: Case) =>
    createHash('sha256')
      .update(`${one.call} ${one.who} ${one.where} ${JSON.stringify([one.named, one.holder, one.of])}`)
      .digest('hex')
  const [first, then] = [some.filter(isRefused), some.filter((one) => !isRefused(one))].map((part) =>
    part.sort((a, b) => rank(a).localeCompare(rank(b))),
  ) as [Case[], Case[]]
  return [...first.slice(0, MAX_CELLS), ...then.slice(0, MAX_CELLS / 2)]
}
