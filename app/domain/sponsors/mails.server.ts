/** What sponsors get by mail: whom they look after, when it begins, and on Mondays who needs a word. */
import { sql } from 'kysely'
import type { mailOf } from '../letter.ts'
import { inTheMiddle, type Scope } from '../scope.server.ts'
import { getSponsorBrief } from './brief.server.ts'
import type { SponsorBrief } from './brief.ts'
import { briefMail, welcomeMail } from './brief-mail.ts'
import { restsUntil } from './hours.server.ts'
import { readLearners } from './sponsored.server.ts'

/** `wait`: not before. Null: there is nothing to tell any more. */
export type SponsorMail = { wait: Date } | ({ to: string } & ReturnType<typeof mailOf>) | null

export async function composeWelcome(scope: Scope, journeyId: number, origin: string): Promise<SponsorMail> {
  const sponsor = await readSponsor(scope)
  if (!sponsor || sponsor.muted_notifications.includes('launch')) return null
  const learners = await readLearners(scope, journeyId)
  const [first] = learners
  if (!first || first.journey.status === 'archived') return null
  const wait = restsUntil(scope, sponsor)
  if (wait) return { wait }
  const names = learners.map(({ name }) => name)
  return { to: sponsor.email, ...welcomeMail({ ...sponsor, origin }, first.journey, names) }
}

export async function composeBrief(scope: Scope, origin: string): Promise<SponsorMail> {
  const sponsor = await readSponsor(scope)
  if (!sponsor || sponsor.muted_notifications.includes('brief')) return null
  const brief = await getSponsorBrief(scope)
  if (!hasSomething(brief)) return null
  const wait = restsUntil(scope, sponsor)
  return wait ? { wait } : { to: sponsor.email, ...briefMail({ ...sponsor, origin }, brief) }
}

export const hasSomething = ({ data, assessments }: SponsorBrief): boolean =>
  data.length + assessments.length > 0

const readSponsor = (scope: Scope) =>
  inTheMiddle(scope, ({ db, actor }) =>
    db
      .selectFrom('users as u')
      .innerJoin('tenants as t', 't.id', 'u.tenant_id')
      .select(['u.id', 'u.email', 'u.first_name', 'u.timezone', 'u.muted_notifications'])
      .select(['t.timezone as tenant_zone', 't.settings', 't.name as company'])
      .where('u.id', '=', actor.user_id ?? 0)
      .where('u.activation_status', '!=', 'disabled')
      .executeTakeFirst(),
  )

/** False: this week's was thought of already. */
export async function beginWeek({ actor, db }: Scope, user_id: number, week_on: string): Promise<boolean> {
  const begun = await db
    .insertInto('sponsor_briefs')
    .values({ tenant_id: actor.tenant_id, user_id, week_on: sql<string>`${week_on}::date` })
    .onConflict((clash) => clash.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return begun !== undefined
}
