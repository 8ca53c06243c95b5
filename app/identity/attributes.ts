import { invalid } from './errors.ts'
import type { Attributes } from './users.server.ts'

/** Attributes that a person may set at sign-up; the provider sets the others. */
const ALLOWED = new Set([
  'address',
  'birthdate',
  'email',
  'family_name',
  'gender',
  'given_name',
  'locale',
  'middle_name',
  'name',
  'nickname',
  'phone_number',
  'picture',
  'preferred_username',
  'profile',
  'updated_at',
  'website',
  'zoneinfo',
])
const LONGEST = 2048

export function requireAllowed(attributes: Record<string, string>, required: readonly string[]): Attributes {
  for (const [name, value] of Object.entries(attributes)) {
    if (!ALLOWED.has(name) && !/^custom:[\w-]{1,20}$/.test(name))
      throw invalid(`${name}: attribute is not allowed`)
    requireForm(name, value)
  }
  const missing = required.filter((name) => name !== 'email' && !attributes[name])
  if (missing.length > 0) throw invalid(`Attributes did not conform to the schema: ${missing.join(', ')}`)
  return attributes
}

function requireForm(name: string, value: string): void {
  if (value.length > LONGEST) throw invalid(`${name}: is too long`)
  if (name === 'phone_number' && !/^\+[1-9]\d{6,14}$/.test(value))
    throw invalid('Invalid phone number format.')
  if (name === 'birthdate' && !isDay(value)) throw invalid('Invalid birthdate: write it as 1990-12-31.')
  if (ADDRESSES.has(name) && !isAddress(value))
    throw invalid(`Invalid ${name}: a web address begins with https://.`)
}

const ADDRESSES = new Set(['website', 'profile', 'picture'])

/** A calendar day, not in the future. */
function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  const isThere = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
  return /^\d{4}-\d\d-\d\d$/.test(text) && isThere && at.getTime() <= Date.now()
}

const isAddress = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && /^https?:\/\//i.test(text)

export const missingOf = (attributes: Attributes, required: readonly string[]): string[] =>
  required.filter((name) => attributes[name] === undefined || attributes[name] === '')

export const asWords = (attributes: Attributes): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, String(value)]))

export const textOf = (attributes: Attributes, name: string): string | null =>
  typeof attributes[name] === 'string' && attributes[name] !== '' ? attributes[name] : null
