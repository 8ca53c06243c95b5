/** The rows of the bench: the request and its person, what it is compared with, and its goal. */
import type { Ask } from './load.ts'
import type { Person, World } from './world.ts'

export type Row = {
  name: string
  ask: Ask
  /** The process that works; the site and the drivers also use PostgreSQL. */
  pid: number
  usesDatabase: boolean
  /** The row whose cost is divided by this one's. */
  against?: string
  goal?: number
  /** The highest processor time of one request, in milliseconds. */
  most?: number
  /** Asked of companies of each size; its cost may hardly grow. */
  grows?: { question: string; people: number }
  /** Whether statements and weight are counted too. */
  isPage?: boolean
  /** Whether its script has a limit. */
  isList?: boolean
}

const BARE = 'Bare Remix page, 20 rows'
const MAX_FOR_STRANGERS_MS = 50

export async function rowsOf(world: World): Promise<Row[]> {
  const rows: Row[] = [
    {
      name: BARE,
      ask: { origin: world.bare.origin, path: '/', headers: { accept: 'text/html' } },
      pid: world.bare.pid,
      usesDatabase: false,
    },
  ]
  rows.push({
    name: 'Sign-in page, of a stranger',
    ask: { origin: world.site.origin, path: '/login', headers: { accept: 'text/html' } },
    pid: world.site.pid,
    usesDatabase: true,
    against: BARE,
    most: MAX_FOR_STRANGERS_MS,
    isPage: true,
  })
  for (const [size, person] of world.people) rows.push(...ofSize(world, size, person))
  const [first] = world.people.values()
  if (first) rows.push(...(await otherPages(world, first)))
  rows.push(...(await pagesOfParticipants(world)))
  return rows
}

function ofSize(world: World, size: number, person: Person): Row[] {
  const people = `${size.toLocaleString('en-US')} people`
  const driver = world.drivers.get(size)
  const ofDriver = (name: string, path: string): Row => ({
    name,
    ask: { origin: driver?.origin ?? '', path, headers: {} },
    pid: driver?.pid ?? 0,
    usesDatabase: true,
  })
  const list = `Bare driver, users list, ${people}`
  const me = `Bare driver, users/me, ${people}`
  const atSite = { pid: world.site.pid, usesDatabase: true }
  const page = (path: string) => ({
    ...atSite,
    ask: { origin: world.site.origin, path, headers: person.asBrowser },
  })
  const call = (path: string) => ({
    ...atSite,
    ask: { origin: world.site.origin, path: `/api/v1${path}`, headers: person.asClient },
  })
  return [
    ofDriver(list, '/users'),
    ofDriver(me, '/me'),
    {
      name: `Users page, ${people}`,
      ...page('/users'),
      against: BARE,
      goal: 0.6,
      isPage: true,
      isList: true,
    },
    { name: `Users page 40, ${people}`, ...page('/users?page=40'), against: BARE },
    { name: `API users list, ${people}`, ...call('/users'), against: list, goal: 0.5, isPage: true },
    { name: `API users/me, ${people}`, ...call('/users/me'), against: me, goal: 0.5, isPage: true },
  ]
}

const LISTS = new Set(['Manage', 'Audit'])

async function otherPages(world: World, person: Person): Promise<Row[]> {
  const { rows } = await world.admin.query(
    `select j.id::int as journey, min(l.id)::int as lift from journeys j join lifts l on l.tenant_id = j.tenant_id and l.journey_id = j.id
     where j.tenant_id = $1 and j.status = 'active' group by j.id order by count(*) desc, j.id limit 1`,
    [person.actor.tenant_id],
  )
  const paths = {
    Home: '/',
    Manage: '/lljs/manage',
    Schedule: `/lljs/${rows[0].journey}/schedule`,
    'Lift page': `/lift/t/${rows[0].lift}`,
    Analytics: '/analytics',
    Audit: '/settings/audit',
  }
  return Object.entries(paths).map(([name, path]) => ({
    ...pageOf(world, person, name, path),
    isList: LISTS.has(name),
  }))
}

/** Pages of the demo's own people, in its original data. */
async function pagesOfParticipants(world: World): Promise<Row[]> {
  const { learner, sponsor } = world
  const todo = await (await learner.visitor.visit('/todo')).text()
  const lift = /href="(\/lift\/\d+)"/.exec(todo)?.[1]
  if (!lift) throw new Error('The learner has nothing to do.')
  return [
    pageOf(world, learner, 'A learner’s journeys', '/learner'),
    pageOf(world, learner, 'A learner’s to-do', '/todo'),
    pageOf(world, learner, 'A learner’s lift', lift),
    pageOf(world, sponsor, 'A sponsor’s home', '/'),
    pageOf(world, sponsor, 'A sponsor’s journeys', '/sponsors-journey'),
  ]
}

const pageOf = (world: World, person: Person, name: string, path: string): Row => ({
  name,
  ask: { origin: world.site.origin, path, headers: person.asBrowser },
  pid: world.site.pid,
  usesDatabase: true,
  against: BARE,
  isPage: true,
})
