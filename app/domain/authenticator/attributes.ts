/** The attributes that people give at sign-up, and their labels in the forms. */
import { z } from 'zod'
import { NO_WEB_ADDRESS, REQUIRED } from '#app/domain/text/text.ts'

const LABELS: Record<string, string> = {
  address: 'Address',
  birthdate: 'Birthdate',
  email: 'Email',
  family_name: 'Family Name',
  gender: 'Gender',
  given_name: 'Given Name',
  locale: 'Locale',
  middle_name: 'Middle Name',
  name: 'Name',
  nickname: 'Nickname',
  phone_number: 'Phone Number',
  picture: 'Picture',
  preferred_username: 'Preferred Username',
  profile: 'Profile',
  updated_at: 'Updated At',
  website: 'Website',
  zoneinfo: 'Zone Info',
}
/** Attributes that a pool can ask for besides the e-mail address, which names the account. */
export const ASKED_FOR = Object.keys(LABELS).filter((name) => name !== 'email' && name !== 'updated_at')

const AUTOCOMPLETE: Record<string, string> = {
  family_name: 'family-name',
  given_name: 'given-name',
  middle_name: 'additional-name',
  name: 'name',
  nickname: 'nickname',
  address: 'street-address',
  birthdate: 'bday',
  website: 'url',
}

/** Attributes of the specification, and custom ones of a pool. */
export const isAllowedAttribute = (name: string): boolean =>
  Object.hasOwn(LABELS, name) || name.startsWith('custom:')

export const labelOf = (name: string): string => LABELS[name] ?? name.replace(/^custom:/, '')
export const autocompleteOf = (name: string): string => AUTOCOMPLETE[name] ?? 'off'

export const LONGEST_ATTRIBUTE = 200

const Words = z
  .string({ error: REQUIRED })
  .trim()
  .min(1, REQUIRED)
  .max(LONGEST_ATTRIBUTE)
  .regex(/^\P{Cc}*$/u, 'Please use letters, numbers and signs only')

const WebAddress = Words.pipe(
  z.url({
    protocol: /^https?$/,
    hostname: /./,
    error: 'Please enter a full address, beginning with https://',
  }),
)
const Birthdate = Words.pipe(
  z.iso.date({ error: 'Please enter a date, such as 1990-12-31', abort: true }),
).refine((day) => new Date(day).getTime() <= Date.now(), 'Please enter a date in the past')
const PersonName = Words.refine(...NO_WEB_ADDRESS)
const KINDS: Record<string, z.ZodType<string>> = {
  name: PersonName,
  given_name: PersonName,
  family_name: PersonName,
  birthdate: Birthdate,
  website: WebAddress,
  profile: WebAddress,
  picture: WebAddress,
}
export const typeOf = (name: string): 'date' | 'url' | 'text' =>
  name === 'birthdate' ? 'date' : KINDS[name] === WebAddress ? 'url' : 'text'

/** Form fields for attributes; a phone number is typed after its country's dial code. */
export function attributeShape(names: readonly string[]): Record<string, z.ZodType<string | undefined>> {
  const fields = names
    .filter((name) => isAllowedAttribute(name) && name !== 'email' && name !== 'phone_number')
    .map((name) => [name, KINDS[name] ?? Words] as const)
  return { ...Object.fromEntries(fields), ...(names.includes('phone_number') && PHONE_SHAPE) }
}

const PHONE_SHAPE = {
  country_code: z.string({ error: REQUIRED }).regex(/^\+\d{1,4}$/, REQUIRED),
  phone_number: z.string({ error: REQUIRED }).trim().min(1, REQUIRED).max(40),
}

/** `+1` and `(555) 123-4567` -> `+15551234567` */
export const joinPhone = (country_code: string, phone_number: string): string =>
  `${country_code}${phone_number}`.replace(/[^\p{L}\p{N}+]/gu, '')

export const isPhone = (number: string): boolean => /^\+[1-9]\d{6,14}$/.test(number)

export function attributesIn(values: Record<string, unknown>): Record<string, string> {
  const { country_code, phone_number, ...rest } = values
  const said = Object.entries(rest).filter(
    (entry): entry is [string, string] =>
      isAllowedAttribute(entry[0]) && typeof entry[1] === 'string' && entry[1] !== '',
  )
  const phone =
    typeof phone_number === 'string' && phone_number !== ''
      ? { phone_number: joinPhone(String(country_code ?? ''), phone_number) }
      : {}
  return { ...Object.fromEntries(said), ...phone }
}
