/** Programs with an API key: the rights of a key, and the calls that only people can make (decision 54). */
import type { Row } from './matrix-policy.ts'

/** The role whose rights each valid key has. Its maker is an administrator, and the author of South's journey. */
export const KEYS = {
  key_admin: 'admin',
  key_reader: 'admin',
  key_author: 'author',
  key_inside: 'sub_admin',
  key_part: 'sub_admin',
  key_foreign: 'foreign_admin',
} as const
type Key = keyof typeof KEYS
export const isKey = (who: string): who is Key => who in KEYS

/** A revoked key, and one whose maker is no longer an administrator. */
export const KEYS_THAT_ARE_OVER = ['key_revoked', 'key_orphaned'] as const

/** Personal data, sign-in, the company itself, tenants, keys; and work that runs or notifies later. */
const FOR_PEOPLE: readonly RegExp[] = [
  / \/(api_keys|commitments|learner|notifications|pools|responses|sponsors_journeys|testing|today)(\/|$)/,
  / \/users\/me(\/|$)/,
  /^(POST|PUT|PATCH|DELETE) \/tenants/,
  /^GET \/tenants(\/data|\/\{id\}\/pool.*)?$/,
  /^POST \/users\/import/,
  /\/(data_export|erasure|password_reset|second_factor|encouragements|page|test_page)$/,
  /^POST \/lifts\/\{id\}\/responses$/,
  /\/(assessments|forms)\/\{userId\}$/,
]
/** Calls without authentication, whatever token is sent. */
const FOR_ANYONE = /\/(users\/pool|mail_stops\/\{token\})$/
/** Only people change the maker of a key. */
const CHANGES_ITS_MAKER = /^(PUT|PATCH|DELETE) \/users\/\{id\}.* of oneself/

/** Null if the key's role decides. */
export function refusedToKey(call: string, { kind }: Row, who: Key): 403 | null {
  const [name = ''] = call.split(' of oneself')
  if (FOR_PEOPLE.some((closed) => closed.test(name))) return 403
  if (who === 'key_reader' && !call.startsWith('GET') && !FOR_ANYONE.test(call)) return 403
  return kind === 'self' && CHANGES_ITS_MAKER.test(call) ? 403 : null
}
