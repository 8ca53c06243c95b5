/** Opens and closes forms on time, each once, and notifies their raters. */
import { sql } from 'kysely'
import { nameOrEmailOf } from '#app/domain/text/full-name.server.ts'
import { nextAllowed } from '../hours/next-allowed.ts'
import { readClockAndHours } from '../journeys/clock-and-hours.server.ts'
import { notify, notifyEach } from '../notifications/notifications.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import type { Assessment, Rater } from './assessment.ts'
import { readAssessment } from './assessments.server.ts'
import { prepareForms } from './preparing.server.ts'

const IS_DUE = sql`f.state = 'not_open' and f.opens_at <= scope_now() and j.status in ('scheduled', 'active', 'completed')`

/** Handles everything that is due for one assessment, unless another worker holds its lock. */
export async function lookAfterAssessment(scope: Scope, id: number): Promise<void> {
  const { db } = scope
  // Locks the journey first, in the same order as every change of a journey, to avoid deadlocks.
  await sql`select from journeys where id = (select journey_id from assessments where id = ${id}) for key share`.execute(
    db,
  )
  const locked = await db
    .selectFrom('assessments')
    .select(['id', 'is_stale'])
    .where('id', '=', id)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!locked) return
  const assessment = await readAssessment(scope, id)
  if (locked.is_stale) {
    await prepareForms(scope, assessment)
    await db.updateTable('assessments').set({ is_stale: false }).where('id', '=', id).execute()
  }
  await closeForms(scope, id)
  // Without items there is nothing to answer yet.
  if (assessment.items.length === 0) return
  await waitForMorning(scope, assessment)
  await openForms(scope, assessment)
}

async function closeForms({ db }: Scope, id: number): Promise<void> {
  await sql`update assessment_forms set state = 'closed', is_left = false where assessment_id = ${id}
    and state in ('not_open', 'open', 'in_progress') and closes_at <= scope_now()`.execute(db)
}

type Opened = { rater: Rater; subject: number; person: number; learner: string }

type Due = { zone: string | null; ids: number[] }

/** Forms that fell due before they existed, or while the journey was paused, also open during the day only. */
async function waitForMorning(scope: Scope, { id, journey_id }: Assessment): Promise<void> {
  const { rows } = await sql<Due>`
    select coalesce(u.timezone, part.timezone) as zone, array_agg(f.id) as ids
    from assessment_forms f
      join journeys j on j.tenant_id = f.tenant_id and j.id = f.journey_id
      join members r on r.tenant_id = f.tenant_id and r.id = f.rater_id
      join users u on u.tenant_id = r.tenant_id and u.id = r.user_id
      left join sub_tenants part on part.tenant_id = f.tenant_id and part.id = j.sub_tenant_id
    where f.assessment_id = ${id} and ${IS_DUE}
    group by 1`.execute(scope.db)
  if (rows.length === 0) return
  const now = nowIn(scope)
  const clock = await readClockAndHours(scope, journey_id)
  for (const { zone, ids } of rows) {
    const opens_at = nextAllowed(now, { zone, ...clock, member_id: 0 })
    if (opens_at > now)
      await sql`update assessment_forms set opens_at = ${opens_at} where id = any(${ids}::bigint[])`.execute(
        scope.db,
      )
  }
}

async function openForms(scope: Scope, { id, name, journey_id }: Assessment): Promise<void> {
  const { rows } = await sql<Opened & { journey: string }>`
    update assessment_forms f set state = 'open', opened_at = scope_now()
    from members s, members r, users u, users l, journeys j
    where s.tenant_id = f.tenant_id and s.id = f.subject_id and r.tenant_id = f.tenant_id and r.id = f.rater_id
      and u.tenant_id = r.tenant_id and u.id = r.user_id and l.tenant_id = s.tenant_id and l.id = s.user_id
      and j.tenant_id = f.tenant_id and j.id = f.journey_id and f.assessment_id = ${id} and ${IS_DUE}
      and u.activation_status <> 'disabled'
    returning f.rater, s.user_id as subject, r.user_id as person, j.name as journey,
      ${nameOrEmailOf('l')} as learner`.execute(scope.db)
  const journey = rows[0]?.journey
  if (journey === undefined) return
  const path = `/lljs/${journey_id}/assessments`
  const own = rows.filter((form) => form.rater === 'self').map((form) => form.person)
  const about = { assessment: name, journey }
  await tell(scope, own, { ...about, message: 'How do you see yourself?', path: `${path}/me` })
  const others = messagesOf(rows, path).map(({ user_id, ...told }) => ({
    user_id,
    content: contentOf({ ...about, ...told }),
  }))
  await notifyEach(scope, 'info', others)
}

type Message = { user_id: number; message: string; path: string }

/** A rater of several learners gets one message about all of them. */
function messagesOf(opened: readonly Opened[], path: string): Message[] {
  const messages: Message[] = []
  for (const rater of ['sponsor', 'peers'] as const) {
    const forms = opened.filter((form) => form.rater === rater)
    const asked = rater === 'sponsor' ? 'learners' : 'colleagues'
    const unnamed = rater === 'peers' ? ' Nobody sees who said what.' : ''
    for (const [person, mine] of Map.groupBy(forms, (form) => form.person)) {
      const [only] = mine
      const isOne = mine.length === 1 && only
      messages.push({
        user_id: person,
        message: `How do you see ${isOne ? only.learner : `${mine.length} of your ${asked}`}?${unnamed}`,
        path: isOne ? `${path}/${only.subject}` : `${path}/`,
      })
    }
  }
  return messages
}

type Told = Omit<Message, 'user_id'> & { assessment: string; journey: string }

const contentOf = ({ assessment, journey, message, path }: Told) => ({
  title: `Assessment open: ${assessment}`,
  message: `${journey}: ${message}`,
  path,
})

export const tell = (scope: Scope, people: readonly number[], told: Told): Promise<void> =>
  notify(scope, people, { notification_type: 'info', content: contentOf(told) })

/**
 * Marks the assessments whose raters are this person, or everybody without a time zone of their own: their times are
 * computed again.
 */
export async function markMoved({ db }: Scope, userId: number | undefined): Promise<void> {
  await sql`update assessments a set is_stale = true where not is_stale and exists (
    select from members m where m.tenant_id = a.tenant_id and m.journey_id = a.journey_id
      and (${userId ?? null}::bigint is null or m.user_id = ${userId ?? null}::bigint))`.execute(db)
}
