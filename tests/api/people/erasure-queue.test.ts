/** Messages in the queue at the time of an erasure: the erased person gets none, other people get theirs. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setSecret, unseal } from '#app/auth/seal.server.ts'
import { addJob } from '#app/db/queue.server.ts'
import { receiveText } from '#app/domain/text-answers/receive-text.server.ts'
import type { Workers } from '#app/jobs/workers.server.ts'
import { sendPatiently } from '#app/process/carriers.server.ts'
import {
  busy,
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
} from '#tests/api/journeys/journeys-world.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'
import { tracesOf } from './traces.ts'

let world: JourneysWorld
let admin: pg.Client
let workers: Workers
const carrier = createTestCarrier()

beforeAll(async () => {
  setSecret('a-secret-for-tests-of-at-least-32-characters')
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
  workers = await world.workers(carrier.carriers, { unseal })
})
afterAll(async () => {
  await workers?.stop()
  await world?.drop()
})

const inAcme = inAcmeOf(() => world)

type Person = { id: number; email: string; phone: string; former: string }
let people = 0
async function person(name: string, domain = 'queue.example'): Promise<Person> {
  people += 1
  const [email, former] = [`${name}@${domain}`, `former-${name}@${domain}`]
  const phone = `+43660555000${people}`
  const roles = { user_general_roles: [{ role: 'user', sub_tenant_id: null }] }
  const made = await world.must('adam', 'POST', '/users', {
    first_name: name,
    last_name: 'Q',
    email,
    ...roles,
  })
  await admin.query('update users set mobile_phone = $1, phone_verified_on = now() where id = $2', [
    phone,
    made.id,
  ])
  return { id: made.id, email, phone, former }
}

/** Queues every job that writes to a person. */
async function queueFor({ id, email, phone, former }: Person, lift: number): Promise<void> {
  await world.must('adam', 'POST', '/auth/resend-welcome-email', { user_ids: [id] })
  await world.must('adam', 'POST', `/lifts/${lift}/send_test`, { phones: [phone] })
  await inAcme(async (scope) => {
    await receiveText(scope, { from: phone, text: 'HELP', key: `text of ${id}` })
    await addJob(scope.db, 'change-address', { user_id: id, former, nonce: 'n' })
    await addJob(scope.db, 'tell-of-security', { user_id: id, what: 'password_changed', nonce: 'n' })
    await addJob(scope.db, 'settle-sign-in', {
      user_id: id,
      what: 'second_factor_taken',
      nonce: 'm',
      accounts: [],
    })
  })
  const occupied = createTestCarrier(() => {
    throw busy()
  })
  const code = {
    tenant_id: world.acme,
    key: `code of ${id}`,
    subject: 'A code',
    text: 'The code of a sign-in',
  }
  const send = sendPatiently(occupied.carriers, { worker: world.database.worker })
  await send({ ...code, channel: 'email', to: email })
  await send({ ...code, key: `${code.key} by text`, channel: 'sms', to: phone })
}

const due = () => admin.query('update graphile_worker._private_jobs set run_at = now()')
const sentTo = ({ email, phone, former, id }: Person) =>
  carrier.taken.filter(({ to }) => [email, phone, former, `erased-${id}@erased.invalid`].includes(to))

describe('The queue', () => {
  it('sends no message to an erased person, and still sends those to another person', async () => {
    const { lift } = await world.draft([], { name: 'Queued' })
    const [gone, stays] = [await person('gone'), await person('stays')]
    await workers.drain()
    carrier.taken.length = 0
    await queueFor(gone, lift)
    await queueFor(stays, lift)
    await world.must('adam', 'POST', `/users/${gone.id}/erasure`, {})
    await due()
    await workers.drain()
    expect(sentTo(gone).map(({ key }) => key)).toEqual([])
    expect(sentTo(stays).length).toBe(8)
    expect(await tracesOf(admin, [gone.email, gone.former, gone.phone.slice(1)])).toEqual([])
  })
})

it('A job that has failed for good is deleted after a month', async () => {
  const number = '+436609998887'
  await inAcme(({ db }) => addJob(db, 'answer-text', { to: number }))
  const failed = (age: string) =>
    admin.query(
      `update graphile_worker._private_jobs set attempts = max_attempts, run_at = now() - $1::interval
       where payload ->> 'to' = $2`,
      [age, number],
    )
  const left = async () => {
    await inAcme(({ db }) => addJob(db, 'forget-failed-jobs', {}))
    await workers.drain()
    return tracesOf(admin, [number])
  }
  await failed('29 days')
  expect(await left()).toEqual(['graphile_worker._private_jobs.payload'])
  await failed('31 days')
  expect(await left()).toEqual([])
})

describe('An import in the queue', () => {
  it.each([
    ['again', 'queue.example', 'queue.example'],
    ['umlaut', 'xn--exmple-cua.de', 'Exämple.de'],
  ])('fails instead of adding a person again who was erased meanwhile: %s', async (name, domain, written) => {
    const again = await person(name, domain)
    await workers.drain()
    const body = new FormData()
    body.set(
      'file',
      new File([`email,first_name\n${name}@${written},Again\nnew@queue.example,New\n`], 'people.csv'),
    )
    const headers = { authorization: 'Bearer adam', 'x-tenant-id': world.acme }
    const request = new Request('http://api.test/api/v1/users/import', { method: 'POST', headers, body })
    const answer = await world.api.fetch(request, { caller: { token: 'adam', principal: world.people.adam } })
    const { id } = (await answer.json()) as { id: string }
    await world.must('adam', 'POST', `/users/${again.id}/erasure`, {})
    await workers.drain()
    expect(await world.must('adam', 'GET', `/users/imports/${id}`)).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('erased'),
    })
    expect(await tracesOf(admin, [again.email, `${name}@${written}`])).toEqual([])
  })
})
