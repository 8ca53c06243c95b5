/** Sends a code to a new address or number. The code is drawn here, so that the queue never contains it. */
import { z } from 'zod'
import { drawCode } from '#app/domain/account/code.server.ts'
import { addressTakenMail, codeWords, contactCodeMail } from '#app/domain/account/code-mail.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import type { JobContext } from '#app/jobs/context.ts'
import { sendOnce } from '#app/jobs/sending/send-once.server.ts'

const Payload = z.object({ tenant_id: z.uuid(), change_id: z.number().int(), nonce: z.string() })

export async function sendContactCode(context: JobContext, payload: unknown): Promise<void> {
  const { database, carriers } = context
  const { tenant_id, change_id, nonce } = Payload.parse(payload)
  const key = `${tenant_id}:contact-code:${change_id}:${nonce}`
  // After the code has been sent, a second run would only invalidate it.
  const sent = await Promise.all([carriers.email, carriers.sms].map((one) => one.find({ tenant_id, key })))
  if (sent.some(Boolean)) return
  const drawn = await inScope(database, systemActor(tenant_id), (scope) => drawCode(scope, change_id))
  if (!drawn) return
  const { kind, value, code } = drawn
  const written = code === null ? addressTakenMail() : contactCodeMail(code)
  await sendOnce(context, {
    tenant_id,
    key,
    to: value,
    ...(kind === 'email'
      ? { channel: 'email', ...written }
      : { channel: 'sms', subject: '', text: codeWords(code ?? '') }),
  })
}
