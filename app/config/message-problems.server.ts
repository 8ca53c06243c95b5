import { apiProblems } from './web-tier-problems.server.ts'

const OF_CARRIER = {
  twilio: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
  vonage: ['VONAGE_APPLICATION_ID', 'VONAGE_PRIVATE_KEY', 'VONAGE_FROM', 'VONAGE_SIGNATURE_SECRET'],
} as const
type Texts = Record<string, unknown> & { SMS_CARRIER: keyof typeof OF_CARRIER }
export function textProblems(env: Texts): [string, string][] {
  const problems: [string, string][] = []
  const names = OF_CARRIER[env.SMS_CARRIER]
  if (env.SMS_CARRIER === 'vonage' || names.some((name) => env[name]))
    for (const name of names) if (!env[name]) problems.push([name, 'is needed for texts, with the others'])
  for (const [name, other] of [
    ['VONAGE_API_KEY', 'VONAGE_API_SECRET'],
    ['VONAGE_API_SECRET', 'VONAGE_API_KEY'],
  ] as const)
    if (!env[name] && env[other]) problems.push([name, `is needed with ${other}`])
  return [...problems, ...apiProblems(env, 'TWILIO_API_URL'), ...apiProblems(env, 'VONAGE_API_URL')]
}

/** A previous secret stays valid only until `SECRETS_BEFORE_UNTIL`. */
export const secretProblems = (env: Record<string, unknown>): [string, string][] =>
  ['TWILIO_AUTH_TOKEN', 'VONAGE_SIGNATURE_SECRET', 'MAIL_HOOK_SECRET'].flatMap((name) => {
    if (!env[`${name}_BEFORE`]) return []
    if (!env[name]) return [[name, `is needed with ${name}_BEFORE`]]
    return env.SECRETS_BEFORE_UNTIL ? [] : [['SECRETS_BEFORE_UNTIL', `is needed with ${name}_BEFORE`]]
  })

/** Sentences that quote no value: the URL of a mail server holds its password. */
export function mailProblems({
  SMTP_URL,
  MAIL_FROM,
}: {
  SMTP_URL?: string | undefined
  MAIL_FROM?: string | undefined
}) {
  const problems: [string, string][] = []
  if (SMTP_URL !== undefined) {
    if (!isMailServer(SMTP_URL))
      problems.push([
        'SMTP_URL',
        'must be like smtps://user:password@mail.example.com, with nothing behind the port',
      ])
    if (MAIL_FROM === undefined) problems.push(['MAIL_FROM', 'is needed when SMTP_URL is set'])
  }
  if (MAIL_FROM !== undefined && !SENDER.test(MAIL_FROM))
    problems.push(['MAIL_FROM', 'must be an address, or like Liftwell <lifts@example.com>'])
  return problems
}

const SENDER =
  /^(?:"?[^"<>\p{Cc}]*"?\s*<[^\s<>@,;\p{Cc}]+@[^\s<>@,;\p{Cc}]+>|[^\s<>@,;\p{Cc}]+@[^\s<>@,;\p{Cc}]+)$/u
/** A URL with a path or a query is refused: it could set options, such as how certificates are checked. */
function isMailServer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(text)
  const isBare = /^\/?$/.test(pathname) && search === '' && hash === ''
  return /^smtps?:$/.test(protocol) && hostname !== '' && isBare && isDecodable(username + password)
}

function isDecodable(text: string): boolean {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(text))
  } catch {
    return false
  }
}
