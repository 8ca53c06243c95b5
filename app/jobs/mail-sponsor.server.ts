/** Sends a sponsor's mail, in the daytime of their zone: about a journey that begins, or about their week. */
import { z } from 'zod'
import { asParticipant } from '#app/domain/scope/scope.server.ts'
import { composeBrief, composeWelcome } from '#app/domain/sponsors/mails.server.ts'
import type { JobContext } from './context.ts'
import { sendOfJourney } from './sending/send-once.server.ts'

const Payload = z.object({
  tenant_id: z.uuid(),
  user_id: z.number().int(),
  about: z.union([z.object({ journey_id: z.number().int() }), z.object({ week_on: z.iso.date() })]),
})

export async function mailSponsor(context: JobContext, payload: unknown): Promise<void> {
  const { tenant_id, user_id, about } = Payload.parse(payload)
  const what = 'week_on' in about ? `week:${about.week_on}` : `journey:${about.journey_id}`
  await sendOfJourney(
    context,
    { name: 'mail-sponsor', payload: { tenant_id, user_id, about } },
    {
      key: `sponsor:${user_id}:${what}`,
      user_id,
      compose: (scope, links) =>
        asParticipant(scope, (own) =>
          'week_on' in about ? composeBrief(own, links) : composeWelcome(own, about.journey_id, links),
        ),
    },
  )
}
