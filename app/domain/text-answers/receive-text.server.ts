/** Incoming texts: interpreted, acted on immediately, and answered. */
import { randomUUID } from 'node:crypto'
import { addJob } from '#app/db/queue.server.ts'
import { record } from '../audit/audit.server.ts'
import { numberStates, takeTurnsAbout } from '../consent/consents.server.ts'
import { isYes, journeyCode, type Reading, readText, type TextReading } from '../consent/reading.ts'
import * as replies from '../consent/replies.ts'
import { KEYWORD_WORDING } from '../consent/wording.ts'
import { requireTesting } from '../outbox/outbox.server.ts'
import type { TestText } from '../outbox/outbox.ts'
import { leaveJourney } from '../participants/members.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { settleConsent } from '../sending/consent-change.server.ts'
import { answerByText } from './answer-by-text.server.ts'

/** Idempotent by `key`. `is_elsewhere`: another company has to answer it, unless it is for all companies. */
export type InboundText = { from: string; text: string; key: string; is_elsewhere?: boolean }
export type Received = { reading: TextReading; reply: string | null }
type Person = { id: number }
type Heard = { scope: Scope; from: string; tenant: string; person: Person | undefined }

const LONGEST = 1600

/** A text from a phone of the testing area, handled as if a carrier had delivered it. */
export async function answerAsPhone(scope: Scope, { from, text }: TestText): Promise<Received> {
  await requireTesting(scope)
  return receiveText(scope, { from, text, key: `test:${randomUUID()}` })
}

export async function receiveText(
  scope: Scope,
  { from, text: brought, key, is_elsewhere = false }: InboundText,
): Promise<Received> {
  // PostgreSQL cannot store NUL in text.
  const text = brought.replaceAll('\0', '')
  const reading = readText(text)
  const isForOne = reading.kind === 'other' || reading.kind === 'leave' || isYes(text)
  if (is_elsewhere && isForOne) return { reading: 'other', reply: null }
  if (reading.kind === 'stop' || reading.kind === 'start') await takeTurnsAbout(scope, from)
  const kept = await scope.db
    .insertInto('inbound_texts')
    .values({
      tenant_id: scope.actor.tenant_id,
      number: from,
      body: text.slice(0, LONGEST),
      reading: reading.kind,
      key,
    })
    .onConflict((clash) => clash.columns(['tenant_id', 'key']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!kept) return { reading: reading.kind, reply: null }
  const heard = await hear(scope, from)
  const mayAnswer = reading.kind === 'other' || isYes(text)
  const answer = mayAnswer ? await answerByText(scope, { from, text, tenant: heard.tenant }) : null
  const isAnswer = answer !== null && (reading.kind === 'other' || answer.reading === 'answer')
  const reply = isAnswer ? answer.reply : await act(heard, reading)
  if (isAnswer)
    await scope.db
      .updateTable('inbound_texts')
      .set({ reading: answer.reading })
      .where('id', '=', kept.id)
      .execute()
  if (reply) {
    const payload = { to: from, text: reply, key: `reply:${kept.id}` }
    await addJob(scope.db, 'answer-text', payload, { carrier: 'sms' })
  }
  return { reading: isAnswer ? answer.reading : reading.kind, reply }
}

async function hear(scope: Scope, from: string): Promise<Heard> {
  const { name } = await scope.db
    .selectFrom('tenants')
    .select('name')
    .where('id', '=', scope.actor.tenant_id)
    .executeTakeFirstOrThrow()
  const person = await scope.db
    .selectFrom('users')
    .select('id')
    .where('mobile_phone', '=', from)
    .where('activation_status', '!=', 'disabled')
    .orderBy('id')
    .executeTakeFirst()
  return { scope, from, tenant: name, person }
}

function act(heard: Heard, reading: Reading): Promise<string | null> | null {
  switch (reading.kind) {
    case 'stop':
      return stop(heard)
    case 'leave':
      return leave(heard, reading.journey_id)
    case 'start':
      return start(heard)
    case 'help':
      return help(heard)
    default:
      return null
  }
}

/** Only one confirmation: people who have stopped already get none. */
async function stop({ scope, from, tenant, person }: Heard): Promise<string | null> {
  const before = (await numberStates(scope, [from])).get(from)
  if (before === 'opted_out') return null
  await say(scope, from, person, 'opt_out', null)
  return replies.stopped(tenant)
}

/** Only for known people; only after a stop do texts begin again. */
async function start({ scope, from, tenant, person }: Heard): Promise<string | null> {
  if (!person) return null
  const before = (await numberStates(scope, [from])).get(from)
  if (before !== 'opted_in') await say(scope, from, person, 'opt_in', KEYWORD_WORDING.id)
  return before === 'opted_out' ? replies.started(tenant) : replies.confirmed(tenant)
}

async function leave(heard: Heard, journeyId: number): Promise<string | null> {
  const { scope, tenant, person } = heard
  const left = person && (await leaveJourney(scope, journeyId, person.id))
  if (!left) return help(heard)
  return left.has_left ? replies.left(tenant, left.name) : replies.leftAlready(tenant, left.name)
}

async function help({ scope, tenant, person }: Heard): Promise<string | null> {
  const journeys = person ? await listJourneys(scope, person) : []
  return replies.help(tenant, await findSupport(scope), journeys)
}

async function say(
  scope: Scope,
  number: string,
  person: Person | undefined,
  action: 'opt_in' | 'opt_out',
  wording_id: string | null,
): Promise<void> {
  const user_id = person?.id ?? null
  await settleConsent(scope, { number, user_id, action, source: 'sms', wording_id })
  if (person) await record(scope, `consent.${action}`, { type: 'user', id: person.id }, { by: 'text' })
}

async function listJourneys({ db }: Scope, { id }: Person): Promise<string[]> {
  const rows = await db
    .selectFrom('members as m')
    .innerJoin('journeys as j', 'j.id', 'm.journey_id')
    .select('j.id')
    .where('m.user_id', '=', id)
    .where('m.role', '=', 'learner')
    .where('m.state', 'in', ['invited', 'active'])
    .where('j.status', 'in', ['scheduled', 'active', 'paused'])
    .orderBy('j.id')
    .limit(3)
    .execute()
  return rows.map((row) => journeyCode(row.id))
}

/** The contact for the company's people: one of its administrators. */
export async function findSupport({ db }: Scope): Promise<string | null> {
  const admin = await db
    .selectFrom('users')
    .innerJoin('user_general_roles as r', 'r.user_id', 'users.id')
    .select('users.email')
    .where('r.role', '=', 'admin')
    .where('r.sub_tenant_id', 'is', null)
    .where('users.activation_status', '=', 'active')
    .orderBy('users.id')
    .executeTakeFirst()
  return admin?.email ?? null
}
