/** Every environment variable of the product, parsed once. `.env.example` documents them. */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'

const flag = z
  .enum(['true', 'false', '1', '0', 'on', 'off', 'yes', 'no'])
  .transform((v) => /^(true|1|on|yes)$/.test(v))
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|.+\.localhost)$/

/** As Standard Webhooks gives it out. */
const hookSecret = z
  .string()
  .regex(/^(whsec_)?[A-Za-z0-9+/]{32,}={0,2}$/, 'must be like whsec_…, as it was given out')
  .optional()

const Environment = z
  .object({
    NODE_ENV: z.enum(['development', 'production', 'test']).default('production'),
    PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
    HOST: z.string().min(1).default('127.0.0.1'),
    PUBLIC_ORIGIN: z.url({ protocol: /^https?$/ }).optional(),
    DATA_DIR: z.string().min(1).default('data'),
    FILES_DIR: z.string().min(1).optional(),
    FILES_S3_URL: z.url({ protocol: /^https?$/ }).optional(),
    FILES_S3_REGION: z.string().min(1).default('us-east-1'),
    FILES_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
    FILES_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    DATABASE_OWNER_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    DATABASE_WORKER_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    DATABASE_READ_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    DATABASE_WORKER_DIRECT_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    DATABASE_IDENTITY_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    DATABASE_WAIT_SECONDS: z.coerce.number().int().min(0).max(86_400).default(60),
    DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(10),
    APP_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
    ROLE: z.enum(['all', 'web', 'worker']).default('all'),
    WEB_CONCURRENCY: z
      .string()
      .regex(/^(auto|[1-9]\d?)$/, 'must be a number from 1 to 99, or auto: one per core')
      .transform((text) => (text === 'auto' ? availableParallelism() : Number(text)))
      .default(1),
    DEMO: flag.optional(),
    SUPER_ADMIN_EMAIL: z.email().optional(),
    API_BASE_URL: z
      .url({ protocol: /^https?$/, error: 'must be an address like https://api.example.com' })
      .optional(),
    OIDC_ISSUER: z.url({ protocol: /^https?$/, error: 'must be an address' }).optional(),
    OIDC_CLIENT_ID: z.string().min(1).optional(),
    OIDC_CLIENT_SECRET: z.string().min(1).optional(),
    COGNITO_USER_POOL_ID: z
      .string()
      .regex(/^[\w-]+_[0-9A-Za-z]+$/, 'must be like eu-west-1_AbCdEfGhI')
      .optional(),
    COGNITO_CLIENT_ID: z.string().min(1).optional(),
    COGNITO_CLIENT_SECRET: z.string().min(1).optional(),
    COGNITO_DOMAIN: z
      .url({ protocol: /^https?$/, error: 'must be the address of the hosted pages' })
      .optional(),
    COGNITO_ISSUER: z.url({ protocol: /^https?$/, error: 'must be an address' }).optional(),
    TRUSTED_PROXIES: z.string().default(''),
    METRICS_TOKEN: z.string().min(16).optional(),
    SENTRY_DSN: z.url().optional(),
    SMTP_URL: z.string().optional(),
    MAIL_FROM: z.string().optional(),
    MAIL_HOOK_SECRET: hookSecret,
    MAIL_HOOK_SECRET_BEFORE: hookSecret,
    SMS_CARRIER: z.enum(['twilio', 'vonage']).default('twilio'),
    SECRETS_BEFORE_UNTIL: z.iso
      .datetime({ offset: true, error: 'must be a time like 2026-12-01T00:00:00Z' })
      .transform((text) => new Date(text))
      .optional(),
    TWILIO_ACCOUNT_SID: z
      .string()
      .regex(/^AC[0-9a-f]{32}$/, 'must be like AC… with 32 hexadecimal digits')
      .optional(),
    TWILIO_AUTH_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
    TWILIO_AUTH_TOKEN_BEFORE: z.string().min(16, 'must have at least 16 characters').optional(),
    TWILIO_FROM: z
      .string()
      .regex(
        /^(\+[1-9]\d{6,14}|MG[0-9a-f]{32})$/,
        'must be a number like +15551234567, or a messaging service (MG…)',
      )
      .optional(),
    TWILIO_API_URL: z
      .url({ protocol: /^https?$/, error: 'must be an address like https://api.twilio.com' })
      .optional(),
    VONAGE_APPLICATION_ID: z.uuid('must be the id of an application').optional(),
    VONAGE_PRIVATE_KEY: z
      .string()
      .transform((text) => text.replaceAll('\\n', '\n'))
      .refine((text) => /^-----BEGIN PRIVATE KEY-----[\s\S]+-----END PRIVATE KEY-----\s*$/.test(text), {
        error: 'must be the private key of the application, from BEGIN to END',
      })
      .optional(),
    VONAGE_FROM: z
      .string()
      .regex(/^(\+[1-9]\d{6,14}|[A-Za-z0-9 ]{3,11})$/, 'must be a number like +15551234567, or a name')
      .optional(),
    VONAGE_SIGNATURE_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
    VONAGE_SIGNATURE_SECRET_BEFORE: z.string().min(16, 'must have at least 16 characters').optional(),
    VONAGE_API_KEY: z.string().min(1).optional(),
    VONAGE_API_SECRET: z.string().min(1).optional(),
    VONAGE_API_URL: z
      .url({ protocol: /^https?$/, error: 'must be an address like https://api.nexmo.com' })
      .optional(),
    LRS_URL: z.url({ protocol: /^https?$/, error: 'must be an address' }).optional(),
    LRS_KEY: z.string().min(1).optional(),
    LRS_SECRET: z.string().min(1).optional(),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  })
  .superRefine((env, context) => {
    const problem = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (env.PUBLIC_ORIGIN && URL.canParse(env.PUBLIC_ORIGIN)) {
      const url = new URL(env.PUBLIC_ORIGIN)
      if (url.pathname !== '/' || url.search) problem('PUBLIC_ORIGIN', 'must be an origin, without a path')
      if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
        problem('PUBLIC_ORIGIN', 'must be https, except on this machine itself')
    }
    for (const [name, why] of [
      ...mailProblems(env),
      ...textProblems(env),
      ...secretProblems(env),
      ...bucketProblems(env),
      ...elsewhereProblems(env),
      ...recordStoreProblems(env),
      ...databaseProblems(env),
    ])
      problem(name, why)
  })

type Own = {
  [Name in
    | 'APP_SECRET'
    | `DATABASE_${'' | 'WORKER_' | 'WORKER_DIRECT_' | 'IDENTITY_' | 'OWNER_' | 'READ_'}URL`]?:
    | string
    | undefined
} & { PORT: number; WEB_CONCURRENCY: number; ROLE: 'all' | 'web' | 'worker' }

function databaseProblems(env: Own): [string, string][] {
  const problems: [string, string][] = []
  if (env.PORT === 0 && env.WEB_CONCURRENCY > 1)
    problems.push(['PORT', 'must be a port when several processes listen at it'])
  if (!env.DATABASE_URL) {
    if (env.DATABASE_READ_URL)
      problems.push(['DATABASE_READ_URL', 'is the replica of DATABASE_URL, which is not set'])
    return problems
  }
  for (const name of ['APP_SECRET', 'DATABASE_WORKER_URL', 'DATABASE_IDENTITY_URL'] as const)
    if (!env[name]) problems.push([name, 'is needed when DATABASE_URL is set'])
  return [...problems, ...poolerProblems(env)]
}

function poolerProblems(env: Own): [string, string][] {
  const leadsToPooler = (url: string | undefined) => url !== undefined && /[?&]pgbouncer=true(&|$)/.test(url)
  const problems: [string, string][] = []
  if (env.ROLE !== 'web' && leadsToPooler(env.DATABASE_WORKER_URL) && !env.DATABASE_WORKER_DIRECT_URL)
    problems.push([
      'DATABASE_WORKER_DIRECT_URL',
      'is needed for the queue when DATABASE_WORKER_URL leads to a pooler',
    ])
  for (const name of ['DATABASE_WORKER_DIRECT_URL', 'DATABASE_OWNER_URL'] as const)
    if (leadsToPooler(env[name])) problems.push([name, 'must lead to PostgreSQL itself, not to a pooler'])
  return problems
}

/** The screens may stand in front of another server's API; how its people sign in is set here, and chosen by it. */
type Elsewhere = {
  [Name in
    | 'API_BASE_URL'
    | 'PUBLIC_ORIGIN'
    | 'DATABASE_URL'
    | `OIDC_${'ISSUER' | 'CLIENT_ID' | 'CLIENT_SECRET'}`
    | `COGNITO_${'USER_POOL_ID' | 'CLIENT_ID' | 'CLIENT_SECRET' | 'DOMAIN' | 'ISSUER'}`]?: string | undefined
} & { PORT: number }

function elsewhereProblems(env: Elsewhere): [string, string][] {
  const problems = (['API_BASE_URL', 'OIDC_ISSUER', 'COGNITO_DOMAIN', 'COGNITO_ISSUER'] as const).flatMap(
    (name) => addressProblems(name, env[name]),
  )
  if (isWebTier(env) && isItself(env))
    problems.push(['API_BASE_URL', 'must be another server, not the address of these screens'])
  return [...problems, ...providerProblems(env)]
}

function addressProblems(name: string, text: string | undefined): [string, string][] {
  if (text === undefined || !URL.canParse(text)) return []
  const { protocol, hostname, search, hash, username, password } = new URL(text)
  if (search || hash || username || password) return [[name, 'must be an address and nothing more']]
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return []
  return [[name, 'must be https, except on this machine itself']]
}

function providerProblems(env: Elsewhere): [string, string][] {
  const problems: [string, string][] = []
  if (env.OIDC_ISSUER && !env.OIDC_CLIENT_ID)
    problems.push(['OIDC_CLIENT_ID', 'is needed when OIDC_ISSUER is set'])
  for (const name of ['COGNITO_CLIENT_ID', 'COGNITO_DOMAIN'] as const)
    if (env.COGNITO_USER_POOL_ID && !env[name])
      problems.push([name, 'is needed when COGNITO_USER_POOL_ID is set'])
  if (isWebTier(env) && !env.OIDC_ISSUER && !env.COGNITO_USER_POOL_ID)
    problems.push([
      'OIDC_ISSUER',
      'or COGNITO_USER_POOL_ID is needed when API_BASE_URL is set: nobody could sign in',
    ])
  return problems
}

/** With a database of ours the other server is one of ours, and sessions stay in it. */
const isWebTier = ({ API_BASE_URL, DATABASE_URL }: Elsewhere) =>
  API_BASE_URL !== undefined && DATABASE_URL === undefined

function isItself({ API_BASE_URL = '', PUBLIC_ORIGIN, PORT }: Elsewhere): boolean {
  if (!URL.canParse(API_BASE_URL)) return false
  const { origin, hostname, port } = new URL(API_BASE_URL)
  if (PUBLIC_ORIGIN && URL.canParse(PUBLIC_ORIGIN) && new URL(PUBLIC_ORIGIN).origin === origin) return true
  return LOOPBACK.test(hostname) && Number(port || 80) === PORT
}

type Store = { [Name in 'LRS_URL' | 'LRS_KEY' | 'LRS_SECRET']?: string | undefined }

/** Statements are of people: they and the key leave encrypted, or not this machine. */
function recordStoreProblems(env: Store): [string, string][] {
  const names = ['LRS_URL', 'LRS_KEY', 'LRS_SECRET'] as const
  if (names.every((name) => env[name] === undefined)) return []
  const missing = names.filter((name) => env[name] === undefined)
  return [
    ...addressProblems('LRS_URL', env.LRS_URL),
    ...missing.map((name): [string, string] => [name, 'is needed for the record store, with the others']),
  ]
}

type Bucket = Partial<
  Record<
    'FILES_DIR' | 'FILES_S3_URL' | 'FILES_S3_ACCESS_KEY_ID' | 'FILES_S3_SECRET_ACCESS_KEY',
    string | undefined
  >
>

function bucketProblems({ FILES_DIR, FILES_S3_URL, ...keys }: Bucket) {
  const problems: [string, string][] = []
  if (FILES_S3_URL === undefined || !URL.canParse(FILES_S3_URL)) return problems
  const { protocol, hostname, search, username } = new URL(FILES_S3_URL)
  if (protocol === 'http:' && !LOOPBACK.test(hostname))
    problems.push(['FILES_S3_URL', 'must be https, except on this machine itself'])
  if (search || username) problems.push(['FILES_S3_URL', 'must be the address of a bucket and nothing more'])
  if (FILES_DIR !== undefined) problems.push(['FILES_S3_URL', 'cannot be set together with FILES_DIR'])
  for (const name of ['FILES_S3_ACCESS_KEY_ID', 'FILES_S3_SECRET_ACCESS_KEY'] as const)
    if (keys[name] === undefined) problems.push([name, 'is needed when FILES_S3_URL is set'])
  return problems
}

const OF_CARRIER = {
  twilio: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
  vonage: ['VONAGE_APPLICATION_ID', 'VONAGE_PRIVATE_KEY', 'VONAGE_FROM', 'VONAGE_SIGNATURE_SECRET'],
} as const
type Texts = Record<string, unknown> & { SMS_CARRIER: keyof typeof OF_CARRIER }

function textProblems(env: Texts): [string, string][] {
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

function apiProblems(env: Texts, name: string): [string, string][] {
  const problems: [string, string][] = []
  const address = env[name]
  if (typeof address !== 'string' || !URL.canParse(address)) return problems
  const { protocol, hostname, search, hash, username, password } = new URL(address)
  if (protocol === 'http:' && !LOOPBACK.test(hostname))
    problems.push([name, 'must be https, except on this machine itself'])
  if (search || hash || username || password)
    problems.push([name, 'must be the address of the API and nothing more'])
  return problems
}

/** A secret of before is for a while, and says for how long. */
const secretProblems = (env: Record<string, unknown>): [string, string][] =>
  ['TWILIO_AUTH_TOKEN', 'VONAGE_SIGNATURE_SECRET', 'MAIL_HOOK_SECRET'].flatMap((name) => {
    if (!env[`${name}_BEFORE`]) return []
    if (!env[name]) return [[name, `is needed with ${name}_BEFORE`] as [string, string]]
    return env.SECRETS_BEFORE_UNTIL ? [] : [['SECRETS_BEFORE_UNTIL', `is needed with ${name}_BEFORE`]]
  })

/** In words that quote nothing: the address of a mail server holds its password. */
function mailProblems({
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

/** What could be set behind it, among it how certificates are looked at, is not the address's to say. */
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

export type Config = Omit<z.infer<typeof Environment>, 'PUBLIC_ORIGIN' | 'DEMO'> & {
  PUBLIC_ORIGIN: string
  DEMO: boolean
  /** The screens alone, in front of another server: no database, no worker, sessions in cookies. */
  WEB_TIER: boolean
}

export class ConfigError extends Error {}

/** Throws a `ConfigError` that lists every variable that is wrong. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new ConfigError(`The configuration is wrong:\n${lines.join('\n')}`)
  }
  const { data } = parsed
  return {
    ...data,
    DATA_DIR: resolve(data.DATA_DIR),
    PUBLIC_ORIGIN: new URL(data.PUBLIC_ORIGIN ?? `http://localhost:${data.PORT}`).origin,
    DEMO: data.DEMO ?? data.DATABASE_URL === undefined,
    WEB_TIER: isWebTier(data),
  }
}

let config: Config | undefined

/** The configuration of this process. */
export function getConfig(): Config {
  config ??= readConfig(process.env)
  return config
}
