/** Time zones by their current names: JavaScript engines still return some names from the nineties. */

import { z } from 'zod'
import { LOCALE } from '#app/domain/text/figures.ts'
import { REQUIRED } from '#app/domain/text/text.ts'

const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

const modern = (name: string): string => RENAMED[name] ?? name

export const TIME_ZONES: readonly string[] = [
  'UTC',
  ...[...new Set(Intl.supportedValuesOf('timeZone').map(modern))].filter((name) => name !== 'UTC').sort(),
]
const KNOWN = new Set(TIME_ZONES)

/** The name under which the zone is stored, or null if there is no such zone. */
export function canonicalTimeZone(name: string): string | null {
  try {
    const resolved = modern(new Intl.DateTimeFormat(LOCALE, { timeZone: name }).resolvedOptions().timeZone)
    return KNOWN.has(resolved) ? resolved : null
  } catch {
    return null
  }
}

export const TimeZone = z
  .string({ error: REQUIRED })
  .trim()
  .max(60)
  .transform((name, context) => {
    const canonical = canonicalTimeZone(name)
    if (canonical !== null) return canonical
    context.addIssue({ code: 'custom', message: 'There is no such time zone' })
    return z.NEVER
  })
