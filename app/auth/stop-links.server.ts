/** Unsubscribe links in e-mails: sealed, so that nobody can forge one, and without an expiry. */
import { z } from 'zod'
import { notFound } from '#app/domain/errors.ts'
import { MONDAY_MAILS } from '#app/domain/mail-stops/mail-stop.ts'
import type { StopLink } from '#app/domain/mail-stops/stopping.server.ts'
import { seal, unseal } from './seal.server.ts'

const CONTEXT = 'mail-stop'
const Sealed = z.tuple([z.uuid(), z.number().int(), z.union([z.number().int(), z.enum(MONDAY_MAILS)])])

export const sealStopLink = (link: StopLink): string =>
  seal(
    JSON.stringify([link.tenant_id, link.user_id, 'monday' in link ? link.monday : link.journey_id]),
    CONTEXT,
  )

export function openStopLink(token: string): StopLink {
  try {
    const [tenant_id, user_id, about] = Sealed.parse(JSON.parse(unseal(token, CONTEXT)))
    const who = { tenant_id, user_id }
    return typeof about === 'number' ? { ...who, journey_id: about } : { ...who, monday: about }
  } catch {
    throw notFound()
  }
}
