/** The changed fields of a thing, each with its old and new value. */

import { isDeepStrictEqual } from 'node:util'
import { figures } from '#app/domain/text/figures.ts'
import { maskEmail, maskPhone } from '../authenticator/mask.ts'
import type { Difference } from './difference.ts'

type Fields = Readonly<Record<string, unknown>>

/** Fields that are never logged, for any subject. */
const SECRET = /(^|_)(password|secret|token|seed|hash|digest|sealed)$/
/** Masked in the log: the full values are only in the person's own row, where they can be erased. */
const MASKED: Readonly<Record<string, (value: string) => string>> = {
  email: maskEmail,
  mobile_phone: maskPhone,
}
/** Longer values are left out; the subject keeps them itself, in its versions. */
const MAX_LENGTH = 10_000

export function differences(before: Fields, after: Fields): Record<string, Difference> {
  const changed = Object.keys(after).filter((name) => {
    const [old, now] = [plain(before[name]), plain(after[name])]
    return after[name] !== undefined && !SECRET.test(name) && !isDeepStrictEqual(old, now)
  })
  return Object.fromEntries(
    changed.map((name) => [name, { before: shown(name, before[name]), after: shown(name, after[name]) }]),
  )
}

export const isUnchanged = ({ before, after }: { before: Fields; after: Fields }): boolean =>
  Object.keys(differences(before, after)).length === 0

const plain = (value: unknown): unknown =>
  value === undefined || value === '' ? null : JSON.parse(JSON.stringify(value))

function shown(name: string, value: unknown): unknown {
  const mask = MASKED[name]
  const kept = plain(value)
  if (mask && typeof kept === 'string') return mask(kept)
  const { length } = JSON.stringify(kept)
  return length > MAX_LENGTH ? `(${figures(length)} characters)` : kept
}
