/** Hands over a sponsor's mail, when it is day there: about a journey that begins, or about their week. */
import { z } from 'zod'
import { addJob } from '#app/db/queue.server.ts'
import { asParticipant, inScope, systemActor } from '#app/domain/scope.server.ts'
import { composeBrief, composeWelcome } from '#app/domain/sponsors/mails.server.ts'
import type { JobContext } from './context.ts'
import { sendOfJourney } from './sending/send-once.server.ts'

const Payload = z.object({
  tenant_id: z.uuid(),
  user_id: z.number().int(),
  about: z.union([z.object({ journey_id: z.number().int() }), z.object({ week_on: z.iso.date() })]),
})

export async function mailSponsor(context: JobContext, payload: unknown): Promise<void> {
  const { database, origin, stopLink } = context
  const links = { origin, stopLink }
  const { tenant_id, user_id, about } = Payload.parse(payload)
  // As the sponsor themselves: what they may not read is in none of their mails.
  const mail = await inScope(database, { ...systemActor(tenant_id), user_id }, async (scope) => {
    const composed = await asParticipant(scope, (own) =>
      'week_on' in about ? composeBrief(own, links) : composeWelcome(own, about.journey_id, links),
    )
    if (composed && 'wait' in composed)
      await addJob(scope.db, 'mail-sponsor', { tenant_id, user_id, about }, { run_at: composed.wait })
    return composed
  })
  if (!mail || 'wait' in mail) return
  const what = 'week_on' in about ? `week:${about.week_on}` : `journey:${about.journey_id}`
  await sendOfJourney(
    context,
    { tenant_id, key: `${tenant_id}:sponsor:${user_id}:${what}`, channel: 'email', ...mail },
    { name: 'mail-sponsor', payload: { tenant_id, user_id, about } },
  )
}
