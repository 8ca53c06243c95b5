/** Invites a person at the identity provider, keeps who they are there, and mails the way in. */
import { z } from 'zod'
import { tellInvited } from '#app/domain/notifications/telling.server.ts'
import { inScope, systemActor } from '#app/domain/scope.server.ts'
import { keepIdentity, readInvitee } from '#app/domain/users/invitations.server.ts'
import type { JobContext } from './context.ts'

/** `nonce` tells a repeated invitation from a job that runs twice. */
const Payload = z.object({
  tenant_id: z.uuid(),
  user_id: z.number().int(),
  nonce: z.string().default('first'),
})

export async function inviteUser(
  { database, origin, carriers, identityAdmin }: JobContext,
  payload: unknown,
): Promise<void> {
  const { tenant_id, user_id, nonce } = Payload.parse(payload)
  const key = `${tenant_id}:invite-user:${user_id}:${nonce}`
  // Once the mail has left, a second run would only make its password void.
  if (await carriers.email.find({ tenant_id, key })) return
  const invitee = await inScope(database, systemActor(tenant_id), (scope) => readInvitee(scope, user_id))
  if (!invitee) return

  const makeAccount = async () => {
    const { sub, temporary_password, is_new } = await identityAdmin.invite({
      pool: invitee.pool_id,
      email: invitee.email,
      attributes: { given_name: invitee.first_name, family_name: invitee.last_name },
    })
    // An account that an earlier membership left behind is of use again.
    if (!is_new) await identityAdmin.setEnabled({ pool: invitee.pool_id, sub, enabled: true })
    await inScope(database, systemActor(tenant_id), (scope) =>
      keepIdentity(scope, user_id, invitee.issuer, sub),
    )
    return temporary_password
  }
  // A provider elsewhere has its own accounts; the first sign-in there says who is who.
  const temporary_password = invitee.pool_kind === 'embedded' ? await makeAccount() : null
  await inScope(database, systemActor(tenant_id), (scope) => tellInvited(scope, user_id, invitee.tenant_name))
  await carriers.email.send({
    tenant_id,
    key,
    channel: 'email',
    to: invitee.email,
    subject: `Welcome to ${invitee.tenant_name}`,
    text: letter(invitee, temporary_password, `${origin}/login`),
  })
}

function letter(
  invitee: { first_name: string; tenant_name: string; email: string; pool_kind: string },
  password: string | null,
  link: string,
): string {
  const secret = password
    ? [`Your temporary password: ${password}`, 'You will choose your own when you sign in.']
    : invitee.pool_kind === 'embedded'
      ? []
      : ['You sign in with the account you have there already.']
  return [
    `Hello ${invitee.first_name || 'and welcome'},`,
    `${invitee.tenant_name} invites you to Liftwell, its place for learning.`,
    [`Sign in: ${link}`, `Your e-mail: ${invitee.email}`, ...secret].join('\n'),
  ].join('\n\n')
}
