/** Every environment variable of the product, parsed once. `.env.example` documents them. */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { databaseProblems } from './config/database-problems.server.ts'
import { encryptionProblems } from './config/encryption.server.ts'
import { mailProblems, secretProblems, textProblems } from './config/message-problems.server.ts'
import { settingInWords } from './config/setting-words.server.ts'
import { bucketProblems, recordStoreProblems } from './config/store-problems.server.ts'
import { elsewhereProblems, isWebTier } from './config/web-tier-problems.server.ts'

const flag = z
  .enum(['true', 'false', '1', '0', 'on', 'off', 'yes', 'no'])
  .transform((v) => /^(true|1|on|yes)$/.test(v))

/** In the format of Standard Webhooks. */
const hookSecret = z
  .string()
  .regex(/^(whsec_)?[A-Za-z0-9+/]{32,}={0,2}$/, 'must be like whsec_…, as it was given out')
  .optional()

const wholeNumber = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error })
}

const Environment = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('production'),
  PORT: wholeNumber(0, 65_535).default(3000),
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
  DATABASE_WAIT_SECONDS: wholeNumber(0, 86_400).default(60),
  DATABASE_POOL_SIZE: wholeNumber(1, 200).default(10),
  APP_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  ROLE: z.enum(['all', 'web', 'worker'], { error: 'must be all, web or worker' }).default('all'),
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

type Settings = z.infer<typeof Environment>
type Problem = [name: string, why: string]

/** Problems of settings that do not fit together. */
const problemsTogether = (env: Settings): Problem[] => [
  ...originProblems(env),
  ...mailProblems(env),
  ...textProblems(env),
  ...secretProblems(env),
  ...bucketProblems(env),
  ...elsewhereProblems(env),
  ...recordStoreProblems(env),
  ...databaseProblems(env),
]

function originProblems({ PUBLIC_ORIGIN }: Settings): Problem[] {
  if (!PUBLIC_ORIGIN || !URL.canParse(PUBLIC_ORIGIN)) return []
  const url = new URL(PUBLIC_ORIGIN)
  const { pathname, search } = url
  const problems: Problem[] = []
  if (pathname !== '/' || search) problems.push(['PUBLIC_ORIGIN', 'must be an origin, without a path'])
  return [...problems, ...encryptionProblems('PUBLIC_ORIGIN', url)]
}

export type Config = Omit<Settings, 'PUBLIC_ORIGIN' | 'DEMO'> & {
  PUBLIC_ORIGIN: string
  DEMO: boolean
  /** The screens alone, in front of another server: no database, no worker, sessions in cookies. */
  WEB_TIER: boolean
}

export class ConfigError extends Error {}

/** Throws a `ConfigError` that lists every variable that is wrong. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(given, { error: settingInWords })
  const alone = (parsed.error?.issues ?? []).map(({ path, message }): Problem => [path.join('.'), message])
  const isWrong = new Set(alone.map(([name]) => name))
  const together = problemsTogether(parsed.data ?? oneByOne(given)).filter(([name]) => !isWrong.has(name))
  const lines = [...alone, ...together].map(([name, why]) => `  ${name}: ${why}`)
  if (!parsed.success || lines.length > 0)
    throw new ConfigError(`The configuration is wrong:\n${lines.join('\n')}`)
  const { data } = parsed
  return {
    ...data,
    DATA_DIR: resolve(data.DATA_DIR),
    PUBLIC_ORIGIN: new URL(data.PUBLIC_ORIGIN ?? `http://localhost:${data.PORT}`).origin,
    DEMO: data.DEMO ?? data.DATABASE_URL === undefined,
    WEB_TIER: isWebTier(data),
  }
}

/** Parses each setting alone. A wrong one gets its default or keeps its value, so that it still counts as set. */
function oneByOne(given: Record<string, unknown>): Settings {
  const entries = Object.entries(Environment.shape)
  return Object.fromEntries(
    entries.map(([name, schema]) => {
      const [value, instead] = [given[name], undefined].map((one) => schema.safeParse(one).data)
      return [name, value ?? instead ?? given[name]]
    }),
  ) as Settings
}

let config: Config | undefined

export function getConfig(): Config {
  config ??= readConfig(process.env)
  return config
}
