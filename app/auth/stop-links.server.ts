/** The links in e-mails by which they are stopped: sealed, so that nobody makes one, and good for as long as the mail. */
import { z } from 'zod'
import { notFound } from '#app/domain/errors.ts'
import type { StopLink } from '#app/domain/mail-stops/stopping.server.ts'
import { seal, unseal } from './seal.server.ts'

const CONTEXT = 'mail-stop'
const Sealed = z.tuple([z.uuid(), z.number().int(), z.number().int()])

export const sealStopLink = ({ tenant_id, user_id, journey_id }: StopLink): string =>
  seal(JSON.stringify([tenant_id, user_id, journey_id]), CONTEXT)

export function openStopLink(token: string): StopLink {
  try {
    const [tenant_id, user_id, journey_id] = Sealed.parse(JSON.parse(unseal(token, CONTEXT)))
    return { tenant_id, user_id, journey_id }
  } catch {
    throw notFound()
  }
}
