/** Creates a person's account at the identity provider, stores its id, and mails the invitation. */
import { z } from 'zod'
import { addJob } from '#app/db/queue.server.ts'
import { tellAdmins, tellInvited } from '#app/domain/notifications/telling.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { nameOrEmail } from '#app/domain/text/full-name.ts'
import { accountsOf } from '#app/domain/users/accounts.server.ts'
import { invitationMail } from '#app/domain/users/invitations/invitation-mail.ts'
import { keepIdentity, readInvitee } from '#app/domain/users/invitations/invitations.server.ts'
import { CarrierError } from '#app/integrations/carrier.ts'
import type { JobContext } from '#app/jobs/context.ts'
import { findFate, sendOnce } from '#app/jobs/sending/send-once.server.ts'

/** `nonce` distinguishes a repeated invitation from a job that runs twice. */
const Payload = z.object({
  tenant_id: z.uuid(),
  user_id: z.number().int(),
  nonce: z.string().default('first'),
})

export async function inviteUser(context: JobContext, payload: unknown): Promise<void> {
  const { database, origin, identityAdmin, isLastTry } = context
  const { tenant_id, user_id, nonce } = Payload.parse(payload)
  const key = `${tenant_id}:invite-user:${user_id}:${nonce}`
  // After the mail has been sent, a second run would only invalidate its link.
  const fate = await findFate(context, { tenant_id, key, channel: 'email' })
  if (fate === 'sent') return
  const invitee = await inScope(database, systemActor(tenant_id), (scope) => readInvitee(scope, user_id))
  if (!invitee) return
  if (invitee.tenant_status !== 'active') return comeAgain(database, { tenant_id, user_id, nonce })
  const tell = (words: string) =>
    inScope(database, systemActor(tenant_id), (scope) =>
      tellAdmins(scope, 'Invitation', words, `/users/edit/${user_id}`),
    )
  if (fate === 'unclear') return tell(unclear(invitee))

  const makeAccount = async () => {
    const accounts = await inScope(database, systemActor(tenant_id), (scope) => accountsOf(scope, user_id))
    const { sub, ...invitation } = await identityAdmin.invite({
      pool: invitee.pool_id,
      email: invitee.email,
      attributes: { given_name: invitee.first_name, family_name: invitee.last_name },
      own: accounts.find(({ pool }) => pool === invitee.pool_id)?.sub,
    })
    await inScope(database, systemActor(tenant_id), (scope) =>
      keepIdentity(scope, user_id, invitee.issuer, sub),
    )
    return invitation
  }
  // A provider elsewhere has its own accounts; the first sign-in there links the person.
  const invitation = invitee.pool_kind === 'embedded' ? await makeAccount() : NO_ACCOUNT
  await inScope(database, systemActor(tenant_id), (scope) => tellInvited(scope, user_id, invitee.tenant_name))
  const sent = await sendOnce(context, {
    tenant_id,
    key,
    channel: 'email',
    to: invitee.email,
    ...invitationMail(invitee, invitation, `${origin}/login`),
  }).catch(async (error: unknown) => {
    if (error instanceof CarrierError && (error.outcome === 'refused' || isLastTry))
      await tell(unsent(invitee))
    throw error
  })
  if (sent === 'unclear') await tell(unclear(invitee))
}

const CLOSED_MS = 3_600_000

/** Nobody can sign in to an inactive or deleted company, so its invitations wait. */
const comeAgain = (database: JobContext['database'], { tenant_id, ...invitation }: z.infer<typeof Payload>) =>
  inScope(database, systemActor(tenant_id), ({ db }) =>
    addJob(db, 'invite-user', invitation, {
      key: `invite-user:${invitation.user_id}`,
      run_at: new Date(Date.now() + CLOSED_MS),
      carrier: 'mass_email',
    }),
  )

const NO_ACCOUNT = { link: null, temporary_until: null }

type Named = Record<'first_name' | 'last_name' | 'email', string>

const unsent = (invitee: Named) =>
  `The invitation of ${nameOrEmail(invitee)} could not be sent: the mail server did not take it. Look at their address, and send it again from the list of users.`
const unclear = (invitee: Named) =>
  `Nobody knows whether the invitation of ${nameOrEmail(invitee)} has arrived: sending it was interrupted. Ask them, or send it again from the list of users.`
