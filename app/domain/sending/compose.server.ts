/** Composes each message: the text of the lift, with the parts that are only for its recipient. */
import { NO_SPONSOR } from '../journeys/template.ts'
import type { LiftContent } from '../lifts/lift.ts'
import { readPromises } from '../lifts/pages.server.ts'
import { askInText, textQuestion } from '../lifts/text-question.ts'
import { getVersion } from '../lifts/versions.server.ts'
import type { Links } from '../mail-stops/stopping.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { makeSignInLink } from '../sign-in-links/sign-in-links.server.ts'
import { readLetterhead } from '../tenants/letterhead.server.ts'
import { tenantSettings } from '../tenants/rows.server.ts'
import type { Claimed } from './claimed-dispatch.server.ts'
import { introduction, isShortEnough, signingIn } from './lift-text.ts'
import { composeMessage, type Draft, linkOfText, type Outgoing, reasonOf } from './message.ts'
import { neverTexted } from './never-texted.server.ts'

/** `hearsReplies`: whether replies to texts are received. */
export type SendingLinks = Links & { hearsReplies?: boolean | undefined }

type Words = { content: LiftContent; asks: string }

/** Messages by dispatch id; no two are texts to the same number. */
export async function composeAll(
  scope: Scope,
  rows: readonly Claimed[],
  links: SendingLinks,
): Promise<Map<number, Outgoing>> {
  const isAsked =
    links.hearsReplies === true && rows.some((row) => row.channel === 'sms' && row.accepted_terms_on)
  const words = await readWords(scope, rows, isAsked)
  const isFirst = await neverTexted(
    scope,
    rows.filter(({ channel }) => channel === 'sms'),
  )
  const isMailed = rows.some(({ channel }) => channel !== 'sms')
  const letterhead = isMailed ? await readLetterhead(scope) : undefined
  const messages = new Map<number, Outgoing>()
  for (const row of rows) {
    const said = words.get(keyOf(row))
    if (!said) throw new Error(`Lift ${row.lift_id} has no version ${row.content_version}`)
    const draft = draftOf(row, said, { ...links, isFirst: isFirst.has(row.id) })
    messages.set(row.id, { ...(await withEntry(scope, row, draft)), letterhead })
  }
  return messages
}

const keyOf = ({ lift_id, content_version }: Claimed) => `${lift_id}:${content_version}`

async function readWords(
  scope: Scope,
  rows: readonly Claimed[],
  isAsked: boolean,
): Promise<Map<string, Words>> {
  const words = new Map<string, Words>()
  for (const row of new Map(rows.map((row) => [keyOf(row), row])).values()) {
    const content = await getVersion(scope, row.lift_id, row.content_version)
    words.set(keyOf(row), { content, asks: isAsked ? await askOf(scope, content) : '' })
  }
  return words
}

async function askOf(scope: Scope, content: LiftContent): Promise<string> {
  const question = textQuestion(content)
  if (!question) return ''
  const promised = await readPromises(scope, [question])
  return askInText({ ...question, visibility: promised.get(question.id) ?? question.visibility })
}

/** The first text to a number says who writes and how to end it. */
function draftOf(
  row: Claimed,
  { content, asks }: Words,
  { origin, stopLink, hearsReplies, isFirst }: SendingLinks & { isFirst: boolean },
): Draft {
  const isText = row.channel === 'sms'
  return {
    key: `${row.tenant_id}:${row.id}`,
    tenant_id: row.tenant_id,
    channel: isText ? 'sms' : 'email',
    to: (isText ? row.mobile_phone : row.email) ?? '',
    content,
    attempt: row.attempts + 1,
    isReminder: row.kind === 'reminder',
    before: isText && isFirst ? introduction(row.tenant_name) : '',
    after: isText && hearsReplies && row.accepted_terms_on ? asks : '',
    about: { why: reasonOf(row.tenant_name, row.journey_name), unsubscribe: stopLink?.({ ...row }) },
    values: {
      first_name: row.first_name,
      journey: row.journey_name,
      lift: content.title,
      sponsor: row.sponsor_name || NO_SPONSOR,
      link: isText ? linkOfText(origin, row) : `${origin}/lift/${row.lift_id}`,
    },
  }
}

/** Adds a sign-in link, if allowed and if the text stays short enough. */
async function withEntry(scope: Scope, row: Claimed, draft: Draft): Promise<Outgoing> {
  const plain = composeMessage(draft)
  if (!tenantSettings(row).sign_in_links) return plain
  const token = await makeSignInLink(scope, { dispatch_id: row.id, user_id: row.user_id })
  if (!token) return plain
  const link = signingIn(draft.values.link, token)
  const message = composeMessage({ ...draft, values: { ...draft.values, link } })
  return isShortEnough(message.segments ?? 0, plain.segments ?? 0) ? message : plain
}
