/** One message on its way out: checked once more, and made ready for its carrier. */
import { sql } from 'kysely'
import { MAX_SEGMENTS } from '../journeys/segments.ts'
import { NO_SPONSOR } from '../journeys/template.ts'
import type { LiftContent } from '../lifts/lift.ts'
import { readPromises } from '../lifts/pages.server.ts'
import { askInText, textQuestion } from '../lifts/text-question.ts'
import { getVersion } from '../lifts/versions.server.ts'
import type { Links } from '../mail-stops/stopping.server.ts'
import { writeFact } from '../occurrences/facts.server.ts'
import { joinSenders } from '../occurrences/settled.server.ts'
import type { Scope } from '../scope.server.ts'
import { makeSignInLink } from '../sign-in-links/sign-in-links.server.ts'
import { tenantSettings } from '../tenants/rows.server.ts'
import { type Claimed, readClaimed } from './claimed-dispatch.server.ts'
import { findObstacle } from './delivery-checks.server.ts'
import {
  composeMessage,
  type Draft,
  introduction,
  linkOfText,
  type Outgoing,
  reasonOf,
  signingIn,
} from './message.ts'

const SENDING_LEASE_SECONDS = 120

/** Also whether replies to texts come in, and who carries. */
type SendingLinks = Links & {
  hearsReplies?: boolean | undefined
  carrierOf?: ((channel: Outgoing['channel']) => string | undefined) | undefined
}

/** Marks the message `sending`, committed before the carrier is called. Null: it does not leave, as its row says. */
export async function beginSending(
  scope: Scope,
  id: number,
  owner: string,
  links: SendingLinks,
): Promise<Outgoing | null> {
  await activateJourney(scope, id)
  await joinSenders(scope, id)
  const row = await readClaimed(scope, id, owner)
  if (!row) return null
  const obstacle = await findObstacle(scope, row)
  if (obstacle) {
    await obstacle(scope)
    await writeFact(scope, row.occurrence_id)
    return null
  }
  const message = await withEntry(scope, row, await draftOf(scope, row, links))
  await scope.db
    .updateTable('dispatches')
    .set({
      state: 'sending',
      error_code: null,
      attempts: row.attempts + 1,
      address: message.to,
      carrier: links.carrierOf?.(message.channel) ?? null,
      segments: message.segments,
      // Of the last try: what surely did not leave before counts for the day and hour in which it does.
      sent_at: sql`scope_now()`,
      lease_until: sql`now() + make_interval(secs => ${SENDING_LEASE_SECONDS})`,
    })
    .where('id', '=', id)
    .execute()
  await scope.db
    .updateTable('occurrences')
    .set({ state: 'due' })
    .where('id', '=', row.occurrence_id)
    .where('state', '=', 'planned')
    .execute()
  await writeFact(scope, row.occurrence_id)
  return message
}

async function draftOf(
  scope: Scope,
  row: Claimed,
  { origin, stopLink, hearsReplies }: SendingLinks,
): Promise<Draft> {
  const content = await getVersion(scope, row.lift_id, row.content_version)
  const link = row.channel === 'sms' ? linkOfText(origin, row) : `${origin}/lift/${row.lift_id}`
  return {
    key: `${scope.actor.tenant_id}:${row.id}`,
    tenant_id: scope.actor.tenant_id,
    channel: row.channel === 'sms' ? 'sms' : 'email',
    to: (row.channel === 'sms' ? row.mobile_phone : row.email) ?? '',
    content,
    attempt: row.attempts + 1,
    isReminder: row.kind === 'reminder',
    before: row.channel === 'sms' && (await isFirstText(scope, row)) ? introduction(row.tenant_name) : '',
    after: row.channel === 'sms' && hearsReplies ? await askOf(scope, row, content) : '',
    about: { why: reasonOf(row.tenant_name, row.journey_name), unsubscribe: stopLink?.({ ...row }) },
    values: {
      first_name: row.first_name,
      journey: row.journey_name,
      lift: content.title,
      sponsor: row.sponsor_name || NO_SPONSOR,
      link,
    },
  }
}

/** With a link that signs its person in, where that is allowed and the text stays short enough. */
async function withEntry(scope: Scope, row: Claimed, draft: Draft): Promise<Outgoing> {
  const plain = composeMessage(draft)
  if (!tenantSettings(row).sign_in_links) return plain
  const token = await makeSignInLink(scope, { dispatch_id: row.id, user_id: row.user_id })
  if (!token) return plain
  const link = signingIn(draft.values.link, token)
  const message = composeMessage({ ...draft, values: { ...draft.values, link } })
  return (message.segments ?? 0) <= Math.max(MAX_SEGMENTS, plain.segments ?? 0) ? message : plain
}

/** The first text to a number says who writes and how to end it; tried again, it is the same text. */
async function isFirstText({ db }: Scope, row: Pick<Claimed, 'id' | 'mobile_phone'>): Promise<boolean> {
  const before = await db
    .selectFrom('dispatches')
    .select('id')
    .where('address', '=', row.mobile_phone)
    .where('channel', '=', 'sms')
    .where('sent_at', 'is not', null)
    .where('id', '<>', row.id)
    .limit(1)
    .executeTakeFirst()
  return before === undefined
}

async function askOf(scope: Scope, { accepted_terms_on }: Claimed, content: LiftContent): Promise<string> {
  const question = accepted_terms_on && textQuestion(content)
  if (!question) return ''
  const promised = await readPromises(scope, [question])
  return askInText({ ...question, visibility: promised.get(question.id) ?? question.visibility })
}

/** First of all, as edits do: the journey is locked before its messages. */
async function activateJourney({ db }: Scope, dispatchId: number): Promise<void> {
  await sql`update journeys j set status = 'active' where j.status = 'scheduled'
    and j.id = (select o.journey_id from dispatches d join occurrences o on o.tenant_id = d.tenant_id
      and o.id = d.occurrence_id where d.id = ${dispatchId} and o.due_at <= scope_now())`.execute(db)
}
