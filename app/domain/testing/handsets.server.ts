/** The phones and mailboxes of the testing tenant: of everybody who got something, ordered by name. */
import { sql } from 'kysely'
import { nameOrEmailOf } from '#app/domain/text/full-name.server.ts'
import { numberStates } from '../consent/consents.server.ts'
import { requireTesting } from '../outbox/outbox.server.ts'
import { offsetOf, paginate } from '../page.ts'
import type { Scope } from '../scope/scope.server.ts'
import { likePattern } from '../text/text.ts'
import type { Handset, HandsetQuery, Line, Mail } from './handset.ts'

const MAX_TEXTS = 8
const MAX_MAILS = 3
/** For numbers that belong to nobody, only this many of the newest texts are read. */
const MAX_STRAY = 500

export async function listHandsets(scope: Scope, query: HandsetQuery) {
  await requireTesting(scope)
  const { total, rows } = await findHolders(scope, query)
  const states = await numberStates(
    scope,
    rows.flatMap(({ number }) => number ?? []),
  )
  const data: Handset[] = []
  for (const holder of rows)
    data.push({
      ...holder,
      takes_texts: holder.number !== null && states.get(holder.number) === 'opted_in',
      texts: newest(await readTexts(scope, holder.number), MAX_TEXTS, 'oldest first'),
      mails: newest(await readMails(scope, holder.email), MAX_MAILS),
    })
  return { data, pagination: paginate(total, query) }
}

type Holder = Pick<Handset, 'user_id' | 'name' | 'number' | 'email' | 'zone'>

async function findHolders({ db }: Scope, { q, page, per_page }: HandsetQuery) {
  const wanted = q ? sql`where concat_ws(' ', name, number, email) ilike ${likePattern(q)}` : sql``
  const { rows } = await sql<Holder & { total: number }>`
    with people as (
      select u.id as user_id, ${nameOrEmailOf('u')} as name,
        u.mobile_phone as number, u.email::text as email, coalesce(u.timezone, t.timezone) as zone
      from users u join tenants t on t.id = u.tenant_id
      where exists (select from outbox_messages m where m.recipient = u.email::text)
        or exists (select from outbox_messages m where m.recipient = u.mobile_phone)
        or exists (select from inbound_texts t where t.number = u.mobile_phone)
    ), stray as (
      select distinct null::bigint as user_id, said.number as name, said.number, null::text as email,
        (select timezone from tenants where id = scope_tenant()) as zone
      from (
        (select number from inbound_texts order by id desc limit ${MAX_STRAY})
        union all
        (select recipient from outbox_messages where channel = 'sms' order by created_on desc, id desc limit ${MAX_STRAY})
      ) said
      where not exists (select from users u where u.mobile_phone = said.number)
    )
    select user_id, name, number, email, zone, count(*) over () as total
    from (select * from people union all select * from stray) holders ${wanted}
    order by user_id is null, lower(name), user_id, number limit ${per_page} offset ${offsetOf({ page, per_page })}`.execute(
    db,
  )
  return {
    total: Number(rows[0]?.total ?? 0),
    rows: rows.map(({ total: _, ...holder }) => holder),
  }
}

async function readTexts({ db }: Scope, number: string | null): Promise<Line[]> {
  if (number === null) return []
  const { rows } = await sql<Omit<Line, 'at'> & { at: Date }>`
    select * from (
      (select 'out-' || id as id, created_on as at, false as is_theirs, body as text, null as reading
        from outbox_messages where recipient = ${number} order by created_on desc, id desc limit ${MAX_TEXTS + 1})
      union all
      (select 'in-' || id, created_on, true, body, reading
        from inbound_texts where number = ${number} order by id desc limit ${MAX_TEXTS + 1})
    ) said order by at desc, is_theirs, id desc limit ${MAX_TEXTS + 1}`.execute(db)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

async function readMails({ db }: Scope, email: string | null): Promise<Mail[]> {
  if (email === null) return []
  const rows = await db
    .selectFrom('outbox_messages')
    .select(['id', 'created_on', 'subject', 'body'])
    .where('recipient', '=', email)
    .orderBy('created_on', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_MAILS + 1)
    .execute()
  return rows.map(({ id, created_on, subject, body }) => ({
    ...{ id, at: created_on.toISOString(), subject: subject ?? '', text: body },
  }))
}

/** Expects rows with the newest first, one more than are shown. */
function newest<Row>(rows: readonly Row[], most: number, order?: 'oldest first') {
  const data = rows.slice(0, most)
  return { data: order ? data.toReversed() : data, has_more: rows.length > most }
}
