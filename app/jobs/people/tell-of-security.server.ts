/** Mails people when the way they sign in has changed, in case it was not them. */
import { z } from 'zod'
import { readReachable } from '#app/domain/account/code.server.ts'
import { isNotice, type Notice, noticeMail } from '#app/domain/account/notices.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import type { JobContext } from '#app/jobs/context.ts'
import { sendOnce } from '#app/jobs/sending/send-once.server.ts'

const Payload = z.object({
  tenant_id: z.uuid(),
  user_id: z.number().int(),
  what: z.string().refine(isNotice),
  nonce: z.string(),
})

export async function tellOfSecurity(context: JobContext, payload: unknown): Promise<void> {
  const { database, carriers, origin } = context
  const { tenant_id, user_id, what, nonce } = Payload.parse(payload)
  const key = `${tenant_id}:security:${user_id}:${nonce}`
  if (await carriers.email.find({ tenant_id, key })) return
  const person = await inScope(database, systemActor(tenant_id), (scope) => readReachable(scope, user_id))
  if (!person) return
  await sendOnce(context, {
    tenant_id,
    key,
    channel: 'email',
    to: person.email,
    ...noticeMail(what as Notice, `${origin}/login`),
  })
}
