/** What accounts may say of their owners. */
import { invalid } from './errors.ts'
import type { Attributes } from './users.server.ts'

/** What a person may say at sign-up; the rest is the provider's. */
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
    if (value.length > LONGEST) throw invalid(`${name}: is too long`)
    if (name === 'phone_number' && !/^\+[1-9]\d{6,14}$/.test(value))
      throw invalid('Invalid phone number format.')
  }
  const missing = required.filter((name) => name !== 'email' && !attributes[name])
  if (missing.length > 0) throw invalid(`Attributes did not conform to the schema: ${missing.join(', ')}`)
  return attributes
}

export const missingOf = (attributes: Attributes, required: readonly string[]): string[] =>
  required.filter((name) => attributes[name] === undefined || attributes[name] === '')

/** As they leave: every value is a word. */
export const asWords = (attributes: Attributes): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, String(value)]))

export const textOf = (attributes: Attributes, name: string): string | null =>
  typeof attributes[name] === 'string' && attributes[name] !== '' ? attributes[name] : null
