/** Phone numbers: as people type them, and in the stored form (E.164). */

import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { z } from 'zod'
import { LOCALE } from '#app/domain/text/figures.ts'
import { hasLetters, NO_LETTERS } from './phone-letters.ts'

export const INVALID_PHONE = 'Please enter a valid phone number'

export function toE164(typed: string, dialCode = ''): string | null {
  if (hasLetters(typed)) return null
  const digits = typed.replace(/[^\p{L}\p{N}+]/gu, '')
  const parsed = parsePhoneNumberFromString(digits.startsWith('+') ? digits : `${dialCode}${digits}`)
  return parsed?.isValid() ? parsed.number : null
}

export const PhoneNumber = z
  .string()
  .trim()
  .max(40)
  .transform((typed, context) => {
    const number = toE164(typed)
    if (number !== null) return number
    context.addIssue({ code: 'custom', message: hasLetters(typed) ? NO_LETTERS : INVALID_PHONE })
    return z.NEVER
  })

/** `+43` and the part that follows it; empty parts for no number. */
export function splitPhone(number: string | null): { dial_code: string; phone_number: string } {
  const parsed = number ? parsePhoneNumberFromString(number) : undefined
  if (!parsed) return { dial_code: '', phone_number: '' }
  return { dial_code: `+${parsed.countryCallingCode}`, phone_number: parsed.nationalNumber }
}

export function dialCodes(): { value: string; label: string }[] {
  const countries = new Intl.DisplayNames(LOCALE, { type: 'region' })
  const names = new Map<string, string[]>()
  for (const country of getCountries()) {
    const code = `+${getCountryCallingCode(country)}`
    names.set(code, [...(names.get(code) ?? []), countries.of(country) ?? country])
  }
  return [...names]
    .map(([value, places]) => ({ value, label: `${value} ${labelOf(value, places)}` }))
    .sort((one, other) => Number(one.value) - Number(other.value))
}

const labelOf = (code: string, places: string[]): string => {
  if (code === '+1') return 'United States, Canada, Caribbean'
  return places.length > 3 ? `${places.slice(0, 3).join(', ')}, …` : places.join(', ')
}

export const NUMBER_IS_PROVED =
  'Your own number is changed under “E-mail and phone”, with a code that is sent there.'
