import { addressTakenMail, codeWords, contactCodeMail } from '../account/code-mail.ts'
import { formerAddressMail, NOTICES, type Notice, noticeMail } from '../account/notices.ts'
import { invitationMail } from '../users/invitations/invitation-mail.ts'
import { ALEX, mail, type Sample, type Setting, text, UNTIL } from './sample-world.ts'

export function invitations({ company, origin }: Setting): Sample[] {
  const login = `${origin}/login`
  const invitee = { ...ALEX, tenant_name: company, pool_kind: 'embedded' }
  const link = { link: `${origin}/invitation/default/example`, temporary_until: UNTIL }
  const none = { link: null, temporary_until: null }
  return [
    {
      ...mail('invitation', 'Invitation', 'Someone is added.'),
      ...invitationMail(invitee, link, login),
    },
    {
      ...mail('invitation-elsewhere', 'Invitation, own sign-in', 'The company signs in elsewhere.'),
      ...invitationMail({ ...invitee, pool_kind: 'oidc' }, none, login),
    },
  ]
}

const WHEN: Record<Notice, string> = {
  second_factor_changed: 'Somebody sets up a second factor.',
  second_factor_removed: 'Somebody turns their second factor off.',
  password_changed: 'Someone changes their password.',
  second_factor_taken: 'An administrator removes a second factor.',
  password_reset_required: 'An administrator asks for a new password.',
}

export function notices({ origin }: Setting): Sample[] {
  const said = (Object.keys(NOTICES) as Notice[]).map((what) => ({
    ...mail(what.replaceAll('_', '-'), NOTICES[what][0].replace(/^Your (.)/, upperCase), WHEN[what]),
    ...noticeMail(what, `${origin}/login`),
  }))
  return [
    ...said,
    {
      ...mail('contact-code', 'Code for a new e-mail', 'Someone changes their e-mail.'),
      ...contactCodeMail('123456'),
    },
    {
      ...mail('address-taken', 'Address taken', 'Somebody types an address that has an account.'),
      ...addressTakenMail(),
    },
    {
      ...mail('former-address', 'Address changed', 'To the former address, once another is in use.'),
      ...formerAddressMail(),
    },
    {
      ...text('contact-code-text', 'Code for a new number', 'Someone changes their number.'),
      ...{ subject: '', text: codeWords('123456') },
    },
  ]
}

const upperCase = (_: string, first: string) => first.toUpperCase()
