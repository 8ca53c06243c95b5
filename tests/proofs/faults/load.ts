/** Mixed reads and writes throughout the run: pages and calls of several roles, people, journeys, answers. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Author } from './journeys.ts'
import type { Ledger } from './ledger.ts'
import type { Person } from './people.ts'
import type { Witness } from './witness.ts'

export type Cast = { grace: Person; adam: Person; aya: Person; uri: Person }
type Setting = { witness: Witness; ledger: Ledger; author: Author; cast: Cast }

const PAGES: Record<keyof Cast, readonly string[]> = {
  grace: ['/users', '/settings/audit', '/lljs/manage'],
  adam: ['/users', '/lljs/manage', '/analytics', '/settings/company'],
  aya: ['/lljs/manage', '/notifications', '/settings/profile'],
  uri: ['/learner', '/todo', '/notifications'],
}
const CALLS: Record<keyof Cast, readonly string[]> = {
  grace: ['/users', '/lljs', '/users/me'],
  adam: ['/users?page=2', '/audit_events', '/users/me'],
  aya: ['/lljs', '/lljs/data', '/analytics/overview'],
  uri: ['/learner/lljs', '/learner/todo', '/notifications'],
}
/** One in this many new people is invited at once. */
const INVITED_ONE_IN = 4

/** Starts the load; the returned function ends it, once everything begun is acknowledged. */
export function beginLoad(setting: Setting): () => Promise<void> {
  let isOver = false
  const again = async (pause: number, work: (round: number) => Promise<unknown>) => {
    for (let round = 0; !isOver; round++) {
      await work(round)
      await sleep(pause)
    }
  }
  const { cast } = setting
  const who = Object.keys(cast) as (keyof Cast)[]
  const loops = [
    ...who.map((name) => again(120, (round) => read(setting, cast[name].page, PAGES[name], round))),
    ...who.map((name) => again(120, (round) => call(setting, cast[name].api, CALLS[name], round))),
    again(250, (round) => addUser(setting, round)),
    again(600, (round) => launchOne(setting, round)),
    again(300, () => answerOne(setting)),
    again(500, () => readNews(setting)),
  ]
  return async () => {
    isOver = true
    await Promise.all(loops)
  }
}

function read(
  { witness }: Setting,
  headers: Record<string, string>,
  paths: readonly string[],
  round: number,
) {
  return witness.ask({ path: paths[round % paths.length] ?? '/', headers })
}

function call(
  { witness }: Setting,
  headers: Record<string, string>,
  paths: readonly string[],
  round: number,
) {
  return witness.ask({ path: `/api/v1${paths[round % paths.length]}`, headers })
}

async function addUser({ witness, ledger, cast }: Setting, round: number): Promise<void> {
  const email = `person-${round}@faults.liftwell-proof.net`
  const send_welcome = round % INVITED_ONE_IN === 0
  const body = { first_name: 'Person', last_name: String(round), email, send_welcome }
  const made = await witness.insist({
    method: 'POST',
    path: '/api/v1/users',
    headers: { ...cast.adam.api, 'idempotency-key': `add ${email}` },
    body: JSON.stringify({ ...body, user_general_roles: [{ role: 'user' }] }),
  })
  if (made) ledger.users.set(email, send_welcome)
}

/** Every fifth journey stays a draft. */
async function launchOne({ author }: Setting, round: number): Promise<void> {
  const draft = await author.write(2)
  if (draft && round % 5 !== 4) await author.launch(draft)
}

/** A learner answers the lifts that have arrived, one by one. */
async function answerOne({ witness, ledger, cast }: Setting): Promise<void> {
  const next = ledger.launched.find(({ lift }) => !ledger.answers.has(lift))
  if (!next) return
  const value = `Answer to ${next.name}`
  const answered = await witness.insist({
    method: 'POST',
    path: `/api/v1/lifts/${next.lift}/responses`,
    headers: { ...cast.uri.api, 'idempotency-key': `answer ${next.lift}` },
    body: JSON.stringify({ responses: [{ prompt_id: next.prompt, value }] }),
  })
  ledger.answers.set(next.lift, { prompt: answered ? next.prompt : 0, value })
}

type News = { data: { id: number; has_read: boolean }[] }

async function readNews({ witness, ledger, cast }: Setting): Promise<void> {
  const { api } = cast.uri
  const news = await witness.insist<News>({ path: '/api/v1/notifications?limit=20', headers: api })
  const notification_ids = news?.data.filter(({ has_read }) => !has_read).map(({ id }) => id) ?? []
  if (notification_ids.length === 0) return
  const body = JSON.stringify({ notification_ids, has_read: true })
  const done = await witness.insist({ method: 'PATCH', path: '/api/v1/notifications', headers: api, body })
  if (done) for (const id of notification_ids) ledger.read.add(id)
}
