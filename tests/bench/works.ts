/** Work that is done once: a sign-in, and a thousand people imported or exported as a file. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Visitor } from '#tests/support/visitor.ts'
import { send } from './load.ts'
import { processorMs } from './processor.ts'
import { table } from './table.ts'
import type { Person, World } from './world.ts'

const SIGN_INS = 8
const IMPORTED = 1_000
const MARK = 'came-by-file'

export type Work = { name: string; seconds: number; node: number; postgres: number }

export async function measureWorks(world: World): Promise<Work[]> {
  const [small, middle] = [...world.people.values()]
  if (!small || !middle) return []
  return [await signIns(world, small), await imported(world, small), await exported(world, middle)]
}

type Timed = Omit<Work, 'name'>

async function time({ site, postgres }: World, work: () => Promise<unknown>): Promise<Timed> {
  const [node, database, began] = [processorMs([site.pid]), processorMs([postgres()]), performance.now()]
  await work()
  return {
    seconds: (performance.now() - began) / 1000,
    node: processorMs([site.pid]) - node,
    postgres: processorMs([postgres()]) - database,
  }
}

const per = (count: number, { seconds, node, postgres }: Timed): Timed => ({
  seconds: seconds / count,
  node: node / count,
  postgres: postgres / count,
})

async function signIns(world: World, { account }: Person): Promise<Work> {
  const timed = await time(world, async () => {
    for (let nth = 0; nth < SIGN_INS; nth++)
      await new Visitor(world.site.origin).signIn(account.email, account.password)
  })
  return { name: 'A sign-in with a password, all its pages', ...per(SIGN_INS, timed) }
}

/** Checked and imported by a job; the new people are deleted afterwards. */
async function imported(world: World, { asClient }: Person): Promise<Work> {
  const { admin, site } = world
  const rows = Array.from(
    { length: IMPORTED },
    (_, nth) => `${MARK}-${nth}@bench.example,Nora,${nth},Sales,user`,
  )
  const form = new FormData()
  form.set(
    'file',
    new File([['email,first_name,last_name,department,role', ...rows].join('\n')], 'people.csv'),
  )
  form.set('send_welcome', 'false')
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${site.origin}/api/v1${path}`, { ...init, headers: asClient })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
    return answer.json() as Promise<{ id: string; status: string }>
  }
  const timed = await time(world, async () => {
    const { id } = await ask('/users/import', { method: 'POST', body: form })
    while ((await ask(`/users/imports/${id}`)).status !== 'finished') await sleep(200)
  })
  const { rowCount } = await admin.query(`delete from users where email like '${MARK}-%'`)
  await admin.query(`delete from audit_events where subject_name like '${MARK}-%'`)
  if (rowCount !== IMPORTED) throw new Error(`${rowCount} of ${IMPORTED} people came by the file`)
  return { name: 'Import of a thousand people', ...timed }
}

async function exported(world: World, { asClient, people }: Person): Promise<Work> {
  const timed = await time(world, async () => {
    const { status, body } = await send({
      origin: world.site.origin,
      path: '/api/v1/users/export',
      headers: asClient,
    })
    const lines = body.toString().split('\n').length
    if (status !== 200 || lines < people)
      throw new Error(`An export of ${people} people: ${status}, ${lines} lines`)
  })
  return {
    name: `Export of ${people.toLocaleString('en-US')} people, of each thousand`,
    ...per(people / 1000, timed),
  }
}

export const worksTable = (works: readonly Work[]): string =>
  table(
    ['Work', 'seconds', 'ms of processor: node + PostgreSQL'],
    works.map(({ name, seconds, node, postgres }) => [
      name,
      seconds.toFixed(2),
      `${node.toFixed(0)} + ${postgres.toFixed(0)}`,
    ]),
  )
