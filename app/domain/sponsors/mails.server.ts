/** Mails to sponsors: which learners they have, at the beginning, and on Mondays which of them need attention. */

import { settingsInForce } from '../hours/quiet-hours.ts'
import { restsUntil } from '../hours/resting.server.ts'
import { whyNotMailed } from '../mail-stops/asking.server.ts'
import type { Links } from '../mail-stops/stopping.server.ts'
import type { Composed } from '../outbox/composed.server.ts'
import { type Scope, tenantWide } from '../scope/scope.server.ts'
import { getSponsorBrief } from './brief.server.ts'
import type { SponsorBrief } from './brief.ts'
import { briefMail, welcomeMail } from './brief-mail.ts'
import { readLearners } from './learners.server.ts'

export async function composeWelcome(scope: Scope, journeyId: number, links: Links): Promise<Composed> {
  const sponsor = await readSponsor(scope, journeyId)
  if (!sponsor || sponsor.muted_notifications.includes('launch')) return null
  const learners = await readLearners(scope, journeyId)
  const [first] = learners
  if (!first || first.journey.status === 'archived') return null
  const wait = restsUntil(scope, sponsor)
  if (wait) return { wait }
  const names = learners.map(({ name }) => name)
  const about = { user_id: sponsor.id, journey_id: journeyId }
  const unsubscribe = links.stopLink?.({ tenant_id: scope.actor.tenant_id, ...about })
  const reader = { ...sponsor, ...links, unsubscribe }
  return { channel: 'email', to: sponsor.email, ...welcomeMail(reader, first.journey, names), about }
}

export async function composeBrief(scope: Scope, links: Links): Promise<Composed> {
  const sponsor = await readSponsor(scope, null)
  if (!sponsor || sponsor.muted_notifications.includes('brief')) return null
  const brief = await getSponsorBrief(scope)
  if (!hasSomething(brief)) return null
  const wait = restsUntil(scope, sponsor)
  if (wait) return { wait }
  const user_id = sponsor.id
  const { tenant_id } = scope.actor
  const unsubscribe = links.stopLink?.({ tenant_id, user_id, monday: 'brief' })
  const reader = { ...sponsor, ...links, unsubscribe }
  return {
    channel: 'email',
    to: sponsor.email,
    ...briefMail(reader, brief),
    about: { user_id, journey_id: null },
  }
}

export const hasSomething = ({ data, assessments }: SponsorBrief): boolean =>
  data.length + assessments.length > 0

/** Null if they left or unsubscribed. A mail about one journey keeps to the quiet hours of the journey's place. */
const readSponsor = (scope: Scope, journey_id: number | null) =>
  tenantWide(scope, async (whole) => {
    const found = await whole.db
      .selectFrom('users as u')
      .innerJoin('tenants as t', 't.id', 'u.tenant_id')
      .select(['u.id', 'u.email', 'u.first_name', 'u.timezone', 'u.muted_notifications'])
      .leftJoin('journeys as j', (join) =>
        join.onRef('j.tenant_id', '=', 'u.tenant_id').on('j.id', '=', journey_id),
      )
      .leftJoin('sub_tenants as s', (join) =>
        join.onRef('s.tenant_id', '=', 'j.tenant_id').onRef('s.id', '=', 'j.sub_tenant_id'),
      )
      .select(['t.timezone as tenant_zone', 't.settings', 't.name as company'])
      .select(['s.settings as sub_tenant_settings', 's.timezone as sub_tenant_zone'])
      .where('u.id', '=', whole.actor.user_id ?? 0)
      .where('u.activation_status', '!=', 'disabled')
      .executeTakeFirst()
    if (!found) return null
    const { sub_tenant_settings, sub_tenant_zone, ...person } = found
    const sponsor = {
      ...person,
      timezone: person.timezone ?? sub_tenant_zone,
      settings: settingsInForce(person.settings, sub_tenant_settings),
    }
    return (await whyNotMailed(whole, { ...sponsor, user_id: sponsor.id, journey_id })) ? null : sponsor
  })
