/** People with several roles and ties: the answers to every call about a journey, and which journeys lists contain. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type Case, findingOf } from './matrix-cases.ts'
import {
  HOLDERS,
  type Holder,
  holderCases,
  isThing,
  listCases,
  nameOf,
  type Thing,
} from './matrix-holders.ts'
import { POLICY, type Row } from './matrix-policy.ts'
import { flagsOfAnswers } from './matrix-router.ts'
import { createMatrixWorld, type MatrixWorld } from './matrix-world.ts'

let database: TestDatabase
let world: MatrixWorld

beforeAll(async () => {
  database = await createTestDatabase()
  world = await createMatrixWorld(database.app)
}, 240_000)
afterAll(() => database?.drop())

/** Reads do not lock, so several run at once. */
async function findings(some: readonly Case[], lanes: number): Promise<string[]> {
  const found: string[] = []
  let next = 0
  const walk = async () => {
    for (let one = some[next++]; one; one = some[next++]) {
      const finding = await findingOf(world, one)
      if (finding) found.push(finding)
    }
  }
  await Promise.all(Array.from({ length: lanes }, walk))
  return found
}
const tieOf = (of: Case['of']) => (of && isThing(of) ? of.tie : of)
const isRead = ({ call }: Case) => call.startsWith('GET')

describe('People with several roles and ties', () => {
  it('are more than eight hundred', () => {
    expect(HOLDERS.length).toBeGreaterThan(800)
  })

  it('cover every call with every role and tie', () => {
    const met = (cases: Iterable<Case>) =>
      new Set(
        [...cases].flatMap(({ call, holder, of }) =>
          holder?.roles.length === 1 ? `${call} by ${holder.roles} on ${JSON.stringify(tieOf(of))}` : [],
        ),
      )
    const all = met(holderCases(() => true))
    expect(all.size).toBeGreaterThan(1000)
    expect(met(holderCases())).toEqual(all)
  })

  it('get the expected answers, without text of journeys that they neither manage nor take part in', async () => {
    const all = [...holderCases()]
    const started = performance.now()
    const reads = await findings(all.filter(isRead), 4)
    const writes = await findings(
      all.filter((one) => !isRead(one)),
      1,
    )
    const seconds = Math.round((performance.now() - started) / 1000)
    process.stdout.write(`${all.length} cells of ${HOLDERS.length} people in ${seconds} s\n`)
    expect([...reads, ...writes].slice(0, 30)).toEqual([])
  }, 600_000)

  it('find in lists and analytics the journeys that they manage, and no others', async () => {
    const all = [...listCases()]
    process.stdout.write(`${all.length} lists\n`)
    expect((await findings(all, 4)).slice(0, 30)).toEqual([])
  }, 300_000)
})

describe('The cells fail', () => {
  const OPENED = `tenant_id = scope_tenant() and (scope_sub_tenant() is null
    or sub_tenant_id = scope_sub_tenant() or scope_is_member(id))`

  it('if a policy shows a journey to another sub-tenant’s administrator who is a learner in it', async () => {
    const admin = await database.connectAdmin()
    const using = async (rule: string) => admin.query(`alter policy scope_select on journeys using (${rule})`)
    const { rows } = await admin.query<{ qual: string }>(
      `select qual from pg_policies where tablename = 'journeys' and policyname = 'scope_select'`,
    )
    const learning = ({ holder }: Case) =>
      holder?.roles.join() === 'admin A' && holder.tied?.tie === 'learner'
    try {
      await using(OPENED)
      expect(await findings([...holderCases()].filter(learning).filter(isRead), 1)).not.toEqual([])
      expect(await findings([...listCases()].filter(learning), 1)).not.toEqual([])
    } finally {
      await using(rows[0]?.qual ?? 'false')
    }
    expect(await findings([...listCases()].filter(learning), 1)).toEqual([])
  }, 120_000)
})

describe('A flag about the caller’s rights in an answer', () => {
  const CONTACT: Row = {
    ...(POLICY['POST /users/me/contacts'] as Row),
    body: { kind: 'email', value: 'another@people.example', password: 'x' },
  }
  type Flag = { said: string; by: string; of?: 'oneself'; about: readonly [call: string, row?: Row] }
  const LEARNER = 'GET /lljs/{id}/assessments/{userId}'
  const TABLE = 'GET /lljs/{id}/assessments'
  const REOPEN = 'POST /assessments/{id}/forms/{userId}/reopen'
  const FLAGS: readonly Flag[] = [
    { said: 'may_edit', by: 'GET /lljs/{id}', about: ['PUT /lljs/{id}'] },
    { said: 'may_edit', by: TABLE, about: ['PUT /lljs/{id}'] },
    { said: 'may_manage', by: LEARNER, about: [TABLE] },
    { said: 'may_manage', by: LEARNER, of: 'oneself', about: [TABLE] },
    { said: 'may_reopen', by: LEARNER, about: [REOPEN] },
    { said: 'may_reopen', by: LEARNER, of: 'oneself', about: [REOPEN] },
    { said: 'may_create', by: 'GET /lljs/data', about: ['POST /lljs'] },
    { said: 'may_change_email', by: 'GET /users/me/contacts', about: ['POST /users/me/contacts', CONTACT] },
  ]
  const isRefused = ({ said }: Flag, status: number) =>
    [403, 404].includes(status) || (said === 'may_change_email' && status === 409)

  /** Null if the person gets no such answer. */
  async function compare(holder: Holder, flag: Flag) {
    const thing = holder.tied as Thing
    const more = flag.of ? { user: world.userOf(holder) } : {}
    const answer = await world.askAs(flag.by, POLICY[flag.by] as Row, holder, thing, more)
    if (answer.status !== 200) return null
    const says = new RegExp(`"${flag.said}":(true|false)`).exec(answer.text)?.[1]
    const [call, row = POLICY[call] as Row] = flag.about
    const { status } = await world.askAs(call, row, holder, thing)
    const isTrue = says === String(!isRefused(flag, status))
    const sentence = `${nameOf(holder)}: ${flag.by} says ${flag.said} ${says}, and ${call} answers ${status}`
    return { said: `${flag.said} ${says}`, wrong: isTrue ? null : sentence }
  }

  it('is compared with a call, for each flag in the API document', async () => {
    // Nobody here gave an answer: scores.test.ts compares the flag about scoring.
    const said = new Set([...FLAGS.map((flag) => flag.said), 'may_score'])
    expect([...said].sort()).toEqual(await flagsOfAnswers())
  })

  it('matches what the call then allows', async () => {
    const all = []
    for (const holder of HOLDERS.filter(({ roles, tied }) => tied && roles.length === 1))
      for (const flag of FLAGS) all.push(await compare(holder, flag))
    const compared = all.filter((one) => one !== null)
    expect(compared.flatMap(({ wrong }) => wrong ?? []).slice(0, 20)).toEqual([])
    // Each flag was true and false, where both are possible: people who can read a journey's page can also edit it.
    for (const said of ['may_manage', 'may_reopen', 'may_create'])
      for (const answer of ['true', 'false'])
        expect(compared.map((one) => one.said)).toContain(`${said} ${answer}`)
  }, 300_000)
})
