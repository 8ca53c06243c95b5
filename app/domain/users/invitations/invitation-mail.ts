/** The invitation mail. */
import { inTheirZone } from '../../text/in-their-zone.ts'
import { mailOf } from '../../text/letter.ts'

type Invitee = { first_name: string; tenant_name: string; email: string; pool_kind: string; zone: string }
type Way = { link: string | null; temporary_until: Date | null }

export function invitationMail(invitee: Invitee, way: Way, login: string) {
  const { first_name, tenant_name, email } = invitee
  return mailOf(`Welcome to ${tenant_name}`, {
    words: [
      first_name ? `Hi ${first_name},` : 'Hello,',
      `${tenant_name} invites you to Liftwell, its learning platform.`,
      `Your e-mail: ${email}`,
    ].join('\n\n'),
    ...wayIn(invitee, way, login),
    why: `You’re getting this e-mail because ${tenant_name} has added you to Liftwell.`,
  })
}

function wayIn({ pool_kind, zone }: Invitee, { link, temporary_until }: Way, login: string) {
  if (link && temporary_until)
    return {
      button: { label: 'Choose your password', url: link },
      note: [
        `The link works once, until ${inTheirZone(temporary_until, zone)}. After that, choose “Forgot your password?” on the `,
        { label: 'sign-in page', url: login },
        ', and we email you a new one.',
      ],
    }
  const note = pool_kind === 'embedded' ? undefined : 'You sign in with the account you have there already.'
  return { button: { label: 'Sign in', url: login }, note }
}
