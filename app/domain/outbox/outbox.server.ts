import { sql } from 'kysely'
import type { z } from 'zod'
import { isOperator } from '../access/actor.ts'
import { forbidden, notFound } from '../errors.ts'
import { offsetOf, paginate } from '../page.ts'
import { askOnce } from '../scope/ask-once.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { likePattern } from '../text/text.ts'
import { OutboxMessage, type OutboxQuery } from './outbox.ts'
import { isTestingTenant } from './sent.server.ts'

type Handed = { channel: 'sms' | 'email'; to: string; subject: string; text: string; key: string }

/** Idempotent by key; returns the results in the order of the messages. */
export async function keepMessages(
  { actor, db }: Scope,
  messages: readonly Handed[],
): Promise<{ id: number; isNew: boolean }[]> {
  const rows = await db
    .insertInto('outbox_messages')
    .values(
      messages.map(({ channel, to, subject, text, key }) => ({
        ...{ tenant_id: actor.tenant_id, channel, recipient: to, body: text, key },
        subject: channel === 'email' ? subject : null,
      })),
    )
    .onConflict((clash) =>
      clash.columns(['tenant_id', 'key']).doUpdateSet((eb) => ({ key: eb.ref('excluded.key') })),
    )
    // `xmax` is not 0 for an existing row, which the conflict has locked.
    .returning(['key', 'id', sql<boolean>`xmax = 0`.as('isNew')])
    .execute()
  const kept = new Map(rows.map(({ key, ...row }) => [key, row]))
  return messages.map(({ key }) => {
    const row = kept.get(key)
    if (!row) throw new Error(`The outbox does not hold ${key}`)
    return row
  })
}

export async function findMessage({ db }: Scope, key: string): Promise<number | null> {
  const row = await db.selectFrom('outbox_messages').select('id').where('key', '=', key).executeTakeFirst()
  return row?.id ?? null
}

/**
 * Only administrators of the testing tenant, and super admins inside it, can read the outbox and reply to messages.
 */
export async function requireTesting(scope: Scope): Promise<void> {
  const { actor } = scope
  if (!actor.roles.includes('admin') || isOperator(actor)) throw forbidden()
  if (!(await askOnce(scope, ['is testing'], () => isTestingTenant(scope)))) throw notFound()
}

/** Only this many of the newest are listed and searched. */
const MAX_COUNT = 10_000

export async function listOutbox(scope: Scope, query: z.infer<typeof OutboxQuery>) {
  await requireTesting(scope)
  const { db } = scope
  const newest = db
    .selectFrom('outbox_messages')
    .selectAll()
    .orderBy('created_on', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_COUNT + 1)
  let matching = db.selectFrom(newest.as('newest'))
  if (query.q) {
    const words = likePattern(query.q)
    matching = matching.where(
      sql<boolean>`(recipient || ' ' || coalesce(subject, '') || ' ' || body) ilike ${words}`,
    )
  }
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await matching
    .selectAll()
    .orderBy('created_on', 'desc')
    .orderBy('id', 'desc')
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute()
  return {
    data: rows.map((row) => OutboxMessage.parse({ ...row, created_on: row.created_on.toISOString() })),
    pagination: paginate(Number(total), query, MAX_COUNT),
  }
}
